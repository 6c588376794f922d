// Loci of exceptional parameters: at exact values of the parameters the answer is what `unless` says, on the locus and off it.
#include <algorithm>
#include <cstdlib>
#include <random>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/parameter_samples.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  int integer(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  template <class T>
  const T& of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(integer(0, static_cast<int>(choices.size()) - 1))];
  }

 private:
  std::mt19937 random_;
};

/// A sum of terms p·f with parameters p and functions f of the coordinates, some of them products and squares of parameters.
std::string coefficient(Random& random) {
  static const std::vector<std::string> parameters{"a",         "b",           "c", "(a - b)",
                                                   "(a*c - b)", "(a^2 - m*c)", "1", "b*c"};
  static const std::vector<std::string> functions{"x", "y", "x*y", "cos(x)", "1", "y^2"};
  std::string sum = random.of(parameters) + "*" + random.of(functions);
  if (random.integer(0, 2) > 0) sum += " + " + random.of(parameters) + "*" + random.of(functions);
  return sum;
}

/// L with a kinetic energy that may degenerate, a constraint on z', a potential, friction: each with parameters, or absent.
std::string random_model(unsigned seed) {
  Random random(seed);
  std::string kinetic = "m/2*(x'^2 + y'^2) + m/2*z'^2";
  if (random.integer(0, 2) == 0) kinetic = "m/2*x'^2 + a/2*y'^2 + b/2*x'*y' + m/2*z'^2";
  if (random.integer(0, 3) == 0) kinetic = "m/2*x'^2 + (m + a^2)/2*y'^2 + c/2*x'*z' + m/2*z'^2";
  const std::string potential =
      random.integer(0, 2) == 0 ? fmt::format(" - ({})*x", coefficient(random)) : "";
  std::string text = fmt::format("lagrangian = \"{}{}\"\nspace = {{ x = \"R\", y = \"R\", z = \"R\" }}\n",
                                 kinetic, potential);
  text += "[parameters]\nm = { value = 1, positive = true }\na = 1\nb = 2\nc = 3\n";
  if (random.integer(0, 5) > 0) {
    text += fmt::format("[constraints]\nk = \"z' = ({})*y' + ({})*x'\"\n", coefficient(random),
                        random.integer(0, 1) == 0 ? "0" : coefficient(random));
  }
  if (random.integer(0, 3) == 0)
    text += fmt::format("[forces]\nx = \"-({})*x'\"\n",
                        random.of(std::vector<std::string>{"a", "a - b", "b^2 + c^2"}));
  return text;
}

/// Small numbers, so that loci are met often.
SymbolMap random_values(const System& system, Random& random) {
  SymbolMap values;
  const std::vector<Expr> any{Expr(-1), Expr(0), Expr(0), Expr(1), Expr(2), Expr(Rational(1, 2))};
  const std::vector<Expr> positive{Expr(1), Expr(1), Expr(2), Expr(Rational(1, 2)), Expr(3)};
  for (const Symbol p : free_parameters(system))
    values.emplace(p, random.of(p.is_positive() ? positive : any));
  return values;
}

/// A point on one of the components, where one is found.
std::optional<SymbolMap> values_on(const System& system, const Locus& component, unsigned seed) {
  Component c{component, {}, {}};
  for (const Expr e : component) {
    for (const Symbol p : free_parameters(system)) {
      if (!contains(e, p) || std::ranges::find(c.leading, p) != c.leading.end()) continue;
      c.leading.push_back(p);
      break;
    }
  }
  return c.leading.size() == component.size() ? point_on(c, free_parameters(system), seed) : std::nullopt;
}

struct Tally {
  int models = 0, answers = 0, complete = 0, substitutions = 0, decided = 0, on = 0, contradictions = 0;
  std::string first;
};

/// A search that found nothing says no for the time being.
bool has_side(const Answer& a) { return a.decided() || a.outcome == Outcome::not_found; }
bool says_yes(const Answer& a) { return a.outcome == Outcome::proved; }

/// Does the answer at these values contradict what `answer` says of them?
void compare(const System& system, const Question& question, const Answer& answer, const SymbolMap& values,
             double seconds, Tally& tally) {
  const bool on = std::ranges::any_of(answer.unless, [&](const Locus& l) { return holds_at(l, values); });
  if (!on && !locus_is_complete(answer)) return;
  ++tally.substitutions;
  try {
    const Answer there = asked(question, substituted(system, values), seconds);
    if (!has_side(there)) return;
    ++tally.decided;
    tally.on += on ? 1 : 0;
    if ((says_yes(there) == says_yes(answer)) != on) return;
    if (tally.contradictions++ == 0)
      tally.first = fmt::format("{} of {} at {}: {} although it is {} in general, unless {}", question.name,
                                system.name, text_of_point(system, values), text(there.outcome),
                                text(answer.outcome), text(answer.unless));
    if (std::getenv("RATTLEBACK_LOUD") != nullptr) MESSAGE(tally.first);
  } catch (const Error&) {
    return;  // no system there
  }
}

void examine(const System& system, const std::vector<std::string>& questions, int points, double seconds,
             bool forget_locus, Tally& tally) {
  ++tally.models;
  for (const std::string& name : questions) {
    try {
      const Question& q = question(name);
      Answer answer = asked(q, system, seconds);
      if (!has_side(answer)) continue;
      ++tally.answers;
      tally.complete += locus_is_complete(answer) ? 1 : 0;
      Random random(17);
      std::vector<SymbolMap> values;
      for (int k = 0; k < points; ++k) values.push_back(random_values(system, random));
      for (const Locus& component : answer.unless) {
        if (const auto on = values_on(system, component, 5)) values.push_back(*on);
      }
      if (forget_locus) {
        answer.unless.clear();
        set_locus(answer, true, "");
      }
      for (const SymbolMap& v : values) compare(system, q, answer, v, seconds, tally);
    } catch (const Error&) {
      continue;  // nothing can be asked
    }
  }
}

const std::vector<std::string> quick{"regularity", "integrability", "energy", "jacobi", "invariant-measure"};

Tally of_random_models(int from, int to, bool forget_locus) {
  Tally tally;
  for (int seed = from; seed < to; ++seed) {
    System system = read_model(random_model(static_cast<unsigned>(seed)), fmt::format("random-{}", seed));
    examine(system, quick, 6, 20, forget_locus, tally);
  }
  return tally;
}

}  // namespace

TEST_CASE("at exact parameter values the answer is the one that the locus says") {
  const Tally tally = of_random_models(0, 8, false);
  INFO(tally.first);
  CHECK(tally.contradictions == 0);
  CHECK(tally.decided > 60);
  CHECK(tally.on > 8);
  // The mutant: without its locus an answer is contradicted.
  CHECK(of_random_models(0, 8, true).contradictions > 5);
}

TEST_CASE("where functions with parameters inside become dependent the answer is another one") {
  // x^p and x^2, sin(k*x) and sin(2*x), exp(k*x) and exp(l*x): no algebraic condition says where they meet.
  const std::string plane = "lagrangian = \"1/2*(x'^2 + y'^2)\"\nspace = { x = \"R\", y = \"R\" }\n";
  const std::string power =
      plane + "parameters = { p = { value = 3, positive = true } }\n[forces]\ny = \"x^p - x^2\"\n";
  const std::string wave = plane + "parameters = { k = 3 }\n[forces]\ny = \"sin(k*x) - 2*sin(x)*cos(x)\"\n";
  const std::string potential =
      "lagrangian = \"1/2*(x'^2 + y'^2) - x^p - y^2\"\nspace = { x = \"R\", y = \"R\" }\n"
      "parameters = { p = { value = 3, positive = true } }\n";
  const std::vector<std::tuple<std::string, const char*, const char*>> all{{power, "energy", "p = 2"},
                                                                           {wave, "energy", "k = 2"},
                                                                           {potential, "symmetries", "p = 2"},
                                                                           {potential, "momenta", "p = 2"}};
  for (const auto& [text, name, special] : all) {
    const Answer a = asked(question(name), read_model(text, "special"), 20);
    CHECK(a.outcome == Outcome::refuted);
    CHECK_FALSE(locus_is_complete(a));
    REQUIRE(a.unless.size() == 1);
    CHECK(rattleback::text(a.unless.front()) == special);
  }
}

TEST_CASE("a search that ended is complete for no parameters") {
  const Answer a = asked(
      question("integrals"),
      read_model("lagrangian = \"1/2*(x'^2 + y'^2) - k/2*(x^2 + y^2)\"\nspace = { x = \"R\", y = \"R\" }\n"
                 "parameters = { k = 1, c = 1, d = 2 }\n[forces]\nx = \"-c*x'\"\ny = \"-d*y'\"\n",
                 "drag"),
      20);
  CHECK(a.outcome == Outcome::not_found);
  CHECK_FALSE(locus_is_complete(a));
  const auto names = [&](const char* special) {
    return std::any_of(a.unless.begin(), a.unless.end(),
                       [&](const Locus& l) { return rattleback::text(l) == special; });
  };
  CHECK(names("c = 0"));  // x'^2 + k*x^2 is constant
  CHECK(names("d = 0"));
}

TEST_CASE("no point of the printed locus is said to lie beside it") {
  const Answer a =
      asked(question("chaplygin-multiplier"),
            read_model("lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n"
                       "space = { x = \"R\", y = \"R\", z = \"R\" }\nparameters = { b = 2, c = 3 }\n"
                       "[constraints]\nk = \"z' = b*y*x' - c*x*y'\"\n",
                       "beside"),
            20);
  CHECK(a.outcome == Outcome::refuted);
  CHECK(a.unless.size() == 4);  // b = 0, c = 0, b + c = 0, b = c
  CHECK(locus_gap(a).find("the outcome is the other one") == std::string::npos);
}

/// Long: some hundred models, the zoo, every question. Run it with --no-skip, from and to in the environment.
TEST_CASE("loci of many models" * doctest::skip()) {
  const auto number = [](const char* name, int otherwise) {
    const char* given = std::getenv(name);
    return given == nullptr ? otherwise : std::atoi(given);
  };
  Tally tally = of_random_models(number("FROM", 100), number("TO", 200), false);
  INFO(tally.first);
  MESSAGE(
      fmt::format("random: {} models, {} answers, {} complete, {} substitutions, {} decided, {} on a locus, "
                  "{} contradictions",
                  tally.models, tally.answers, tally.complete, tally.substitutions, tally.decided, tally.on,
                  tally.contradictions));
  CHECK(tally.contradictions == 0);
}

TEST_CASE("loci of the zoo" * doctest::skip()) {
  std::vector<std::string> all;
  for (const Question& q : all_questions()) {
    if (q.sum_up == nullptr && q.name != "equilibria") all.push_back(q.name);
  }
  Tally tally;
  const char* only = std::getenv("MODELS");
  for (const std::string& name : zoo()) {
    if (only != nullptr && name.find(only) == std::string::npos) continue;
    examine(load_model(name), all, 2, 10, false, tally);
  }
  INFO(tally.first);
  MESSAGE(
      fmt::format("zoo: {} models, {} answers, {} complete, {} substitutions, {} decided, {} on a locus, {} "
                  "contradictions",
                  tally.models, tally.answers, tally.complete, tally.substitutions, tally.decided, tally.on,
                  tally.contradictions));
  CHECK(tally.contradictions == 0);
}
