// One system in several descriptions: coordinates renamed, reordered, sheared, turned by (3, 4, 5), polar; velocities of a frame; a total
// derivative added to the Lagrangian; a factor that nothing touches; a number put in with --set. A verdict is a property of the system.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <random>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

/// What stands for x and y, the order of the coordinates, what is added to L.
struct Description {
  std::string name, x, y;
  std::vector<std::string> space;
  std::string added = "";
  bool frame = false, with_set = false;
};

std::string with(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, meaning] : words) {
    const std::string mark = "{" + word + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + meaning.size()))
      text.replace(at, mark.size(), meaning);
  }
  return text;
}

/// {x}, {y}, their velocities {u}, {v}, a number {k}; a third coordinate; velocities of a frame of D.
struct Template {
  const char* name;
  std::string lagrangian, constraint, third, velocities;
};

const std::vector<Template>& templates() {
  static const std::vector<Template> all{
      {"a blade", "1/2*({u}^2 + {v}^2 + {k}*s'^2)", "{u}*sin(s) = {v}*cos(s)", "s = \"S1\"",
       "along = \"{u}*cos(s) + {v}*sin(s) + s'\"\nturn = \"2*s'\"\n"},
      {"a central field", "1/2*({u}^2 + {v}^2 + s'^2) - {k}*({x}^2 + {y}^2)^2", "", "s = \"R\"",
       "a1 = \"{u} - s'\"\na2 = \"{u} + 2*{v}\"\na3 = \"s'\"\n"},
      {"a particle", "1/2*({u}^2 + {v}^2 + {k}*s'^2)", "s' = {y}*{u}", "s = \"R\"",
       "a1 = \"{u} + {v}\"\na2 = \"{v}\"\n"},
      {"a field without symmetry", "1/2*({u}^2 + {v}^2 + s'^2) - {x}^3 - {k}*{x}*{y}^2 - s^2*{y} - s^4", "",
       "s = \"R\"", "a1 = \"{u}\"\na2 = \"{u} + {v}\"\na3 = \"s' - {v}\"\n"}};
  return all;
}

System described(const Template& t, const Description& d) {
  const std::map<std::string, std::string> words{{"x", "(" + d.x + ")"},
                                                 {"y", "(" + d.y + ")"},
                                                 {"u", "ddt(" + d.x + ")"},
                                                 {"v", "ddt(" + d.y + ")"},
                                                 {"k", d.with_set ? "k" : "2"}};
  std::string text = "lagrangian = \"" + with(t.lagrangian + d.added, words) + "\"\n[space]\n";
  for (const std::string& line : d.space) text += (line == "third" ? t.third : line + " = \"R\"") + "\n";
  if (!t.constraint.empty()) text += "[constraints]\nc = \"" + with(t.constraint, words) + "\"\n";
  if (d.frame) text += "[velocities]\n" + with(t.velocities, words);
  if (d.with_set) text += "[parameters]\nk = 3\n";
  const System system = read_model(text, t.name);
  return d.with_set ? with_values(system, {{"k", "2"}}) : system;
}

const Description& as_it_is() {
  static const Description d{"as it is", "x", "y", {"x", "y", "third"}};
  return d;
}
const Description& polar() {
  static const Description d{"polar", "r*cos(f)", "r*sin(f)", {"r", "f", "third"}};
  return d;
}

/// Affine changes with numbers at random, names, order, frames: searches find in them what they found before.
std::vector<Description> affine_descriptions(std::mt19937_64& random) {
  const auto number = [&](int most) {
    return std::to_string(std::uniform_int_distribution<int>(1, most)(random));
  };
  std::vector<Description> all{
      {"other names and order", "q2", "a", {"third", "a", "q2"}},
      {"sheared", "X + " + number(5) + "*Y", "Y/" + number(3), {"X", "Y", "third"}},
      {"turned by (3, 4, 5)", "3/5*X - 4/5*Y", "4/5*X + 3/5*Y", {"Y", "X", "third"}},
      {"a total derivative", "x", "y", {"x", "y", "third"}, " + " + number(4) + "*ddt({x}*{y}^2)"},
      {"a factor", "x", "y", {"x", "y", "third", "w"}, " + 1/2*w'^2 - " + number(3) + "*w^2 - w^4"}};
  all.push_back(as_it_is());
  all.back().name = "a frame";
  all.back().frame = true;
  all.push_back(as_it_is());
  all.back().name = "--set";
  all.back().with_set = true;
  return all;
}

Outcome outcome(const System& system, const std::string& name) {
  return asked(question(name), system, 20).outcome;
}

bool contradict(Outcome a, Outcome b) {
  return (a == Outcome::proved && b == Outcome::refuted) || (a == Outcome::refuted && b == Outcome::proved);
}

/// Of the product with a factor the factor's own energy is an integral, and both would have to share one change of time; other questions
/// do not notice it.
bool notices_factor(const std::string& name) { return name == "integrals" || name == "chaplygin-multiplier"; }

}  // namespace

TEST_CASE("a verdict does not depend on coordinates, names, order, frames, factors or total derivatives") {
  std::mt19937_64 random(20'26);
  for (const Template& t : templates()) {
    const std::vector<Description> all = affine_descriptions(random);
    for (const char* name :
         {"regularity", "integrability", "energy", "symmetries", "momenta", "invariant-measure", "jacobi"}) {
      const Outcome first = outcome(described(t, as_it_is()), name);
      for (const Description& d : all) {
        INFO(std::string(t.name) << ", " << d.name << ": " << std::string(name));
        CHECK(text(outcome(described(t, d), name)) == text(first));
      }
    }
  }
}

TEST_CASE("searches may find less in other coordinates; they do not contradict each other") {
  std::mt19937_64 random(21);
  for (const Template& t : templates()) {
    std::vector<Description> all = affine_descriptions(random);
    all.push_back(polar());
    for (const char* name : {"integrals", "inverse-problem", "optimal-control", "chaplygin-multiplier",
                             "conditionally-variational"}) {
      const Outcome first = outcome(described(t, as_it_is()), name);
      for (const Description& d : all) {
        if (d.name == "a factor" && notices_factor(name)) continue;
        INFO(std::string(t.name) << ", " << d.name << ": " << std::string(name) << " " << text(first));
        CHECK_FALSE(contradict(outcome(described(t, d), name), first));
      }
    }
  }
}

TEST_CASE("polar coordinates contradict no verdict either; another system does") {
  for (const Template& t : templates()) {
    for (const char* name :
         {"regularity", "integrability", "energy", "symmetries", "momenta", "invariant-measure", "jacobi"}) {
      INFO(std::string(t.name) << ": " << std::string(name));
      CHECK_FALSE(contradict(outcome(described(t, as_it_is()), name), outcome(described(t, polar()), name)));
    }
  }
  Description mutant = as_it_is();  // the law would notice a description of another system
  mutant.added = " - {x}^3 + {x}*{y}^2 - 2*s^2*{y} - s^4";
  CHECK(contradict(outcome(described(templates()[1], as_it_is()), "symmetries"),
                   outcome(described(templates()[1], mutant), "symmetries")));
}
