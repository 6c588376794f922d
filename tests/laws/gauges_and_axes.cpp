// What does not belong to the motion: a total derivative in the Lagrangian, the axes of the coordinates, which part of a force is a potential, the letters
// of a linear motion. Verdicts, domains and loci do not depend on it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/questions/stated_conjecture.hpp>

using namespace rattleback;

namespace {

constexpr double seconds = 20;

struct Model {
  std::string lagrangian, space, sections = "";

  System system() const {
    std::string text = "lagrangian = \"" + lagrangian + "\"\n[space]\n";
    for (const char q : space) text += fmt::format("{} = \"{}\"\n", q, q == 'a' ? "S1" : "R");
    return read_model(text + sections, "model");
  }
};

Answer ask(const Model& m, const std::string& name) { return asked(question(name), m.system(), seconds); }

std::vector<std::string> unless(const Answer& a) {
  std::vector<std::string> all;
  for (const Locus& locus : a.unless) all.push_back(text(locus));
  return all;
}

std::vector<std::string> where(const Answer& a) {
  std::vector<std::string> all = domain_in(a.answer).where;
  std::ranges::sort(all);
  return all;
}

bool is_complete(const Answer& a) {
  const Data* locus = a.answer.find("locus");
  const Data* complete = locus == nullptr ? nullptr : locus->find("complete");
  return complete != nullptr && complete->get_if<bool>() != nullptr && *complete->get_if<bool>();
}

const std::string space = "1/2*(x'^2 + y'^2 + z'^2)",
                  rolled = "[parameters]\nB = { value = 1 }\n[constraints]\nc = \"z' = y*x'\"\n";

}  // namespace

TEST_CASE("what wants an invariant Lagrangian applies with a total derivative added (N.19)") {
  for (const std::string field : {"", " + B*x*y'"}) {
    const Model own{space + field, "xyz", rolled};
    for (const std::string f : {"x^2*z", "z^2*y", "x*z + y*z^3", "t*x*z"}) {
      const Model other{space + field + " + ddt(" + f + ")", "xyz", rolled};
      for (const char* name :
           {"chaplygin-multiplier", "routh-hamiltonization", "inverse-problem", "optimal-control"}) {
        INFO(field << " and d/dt of " << f << ": " << std::string(name));
        const Answer first = ask(own, name), again = ask(other, name);
        CHECK(text(again.outcome) == text(first.outcome));
        CHECK(domain_in(again.answer).where == domain_in(first.answer).where);
        CHECK(unless(again) == unless(first));
      }
    }
  }
  // A potential along the fibre is no matter of gauge.
  const Model falling{space + " - x*z", "xyz", rolled};
  CHECK(ask(falling, "chaplygin-multiplier").outcome == Outcome::inapplicable);
}

TEST_CASE("a Lagrangian and a control problem are found along the system's own axes (N.20)") {
  const auto in = [](const std::string& x, const std::string& y) {
    const std::string u = "ddt(" + x + ")", v = "ddt(" + y + ")";
    return Model{fmt::format("1/2*({0}^2 + {1}^2 + z'^2)", u, v), "xyz",
                 fmt::format("[constraints]\nc = \"z' = ({})*{}\"\n", y, u)};
  };
  for (const char* name : {"inverse-problem", "optimal-control"}) {
    CHECK(ask(in("(x)", "(y)"), name).outcome == Outcome::proved);
    const Answer turned = ask(in("(3/5*x - 4/5*y)", "(4/5*x + 3/5*y)"), name),
                 sheared = ask(in("(x + 2*y)", "(y)"), name), both = ask(in("(x + y)", "(2*y - x)"), name);
    CHECK(turned.outcome == Outcome::proved);
    CHECK(where(turned) == std::vector<std::string>{"4*x + 3*y != 0", "4*x' + 3*y' != 0"});
    CHECK(sheared.outcome == Outcome::proved);
    CHECK(where(sheared) == std::vector<std::string>{"y != 0", "y' != 0"});
    CHECK(both.outcome == Outcome::proved);
  }
}

TEST_CASE("a linear motion with letters has a Lagrangian for all of them, in all linear coordinates") {
  const auto in = [](const char* forces) {
    return Model{"1/2*(x'^2 + y'^2)", "xy",
                 fmt::format("[parameters]\np = {{ value = 1 }}\nq = {{ value = 2 }}\n[forces]\n{}", forces)};
  };
  const Answer own = ask(in("x = \"p*y\"\ny = \"q*x\"\n"), "inverse-problem");
  const Answer turned = ask(in("x = \"3/5*p*(4/5*x + 3/5*y) + 4/5*q*(3/5*x - 4/5*y)\"\n"
                               "y = \"-4/5*p*(4/5*x + 3/5*y) + 3/5*q*(3/5*x - 4/5*y)\"\n"),
                            "inverse-problem");
  for (const Answer& a : {own, turned}) {
    CHECK(a.outcome == Outcome::proved);
    CHECK(unless(a).empty());
    CHECK(is_complete(a));
  }
}

TEST_CASE("every metric of one dimension has a Killing field (N.18)") {
  for (const char* L : {"1/2*(1 + x^2)*x'^2", "exp(x)*x'^2", "1/2*x'^2/(1 + x^2)^2"}) {
    const Answer a = ask({L, "x"}, "symmetries");
    CHECK(a.outcome == Outcome::proved);
    CHECK(domain_in(a.answer).where.empty());
  }
  const Answer circle = ask({"1/2*(2 + cos(a))*a'^2", "a"}, "symmetries");
  CHECK(circle.outcome == Outcome::proved);
  const Answer parabola = ask({"1/2*(x'^2 + y'^2)", "xy", "[constraints]\nn = \"y = x^2\"\n"}, "symmetries");
  CHECK(parabola.outcome == Outcome::proved);
  CHECK(ask({"1/2*(1 + x^2)*x'^2 - x^2", "x"}, "symmetries").outcome == Outcome::refuted);
  const Answer steady = ask({"1/2*(1 + x^2)*x'^2", "x"}, "equilibria");
  CHECK(steady.outcome == Outcome::proved);  // no symmetry is hidden
}

TEST_CASE("symmetries do not depend on which part of a force is written as a potential") {
  const auto split = [](const char* V, const char* x, const char* y) {
    return ask({fmt::format("1/2*(x'^2 + y'^2) - ({})", V), "xy",
                fmt::format("[forces]\nx = \"{}\"\ny = \"{}\"\n", x, y)},
               "symmetries");
  };
  // -(x, y) + (-y, x), which no turn changes and which has no potential.
  for (const Answer& a : {split("0", "-x - y", "x - y"), split("(x^2 + y^2)/2", "-y", "x"),
                          split("x^2/2", "-y", "x - y"), split("x*y^2", "-x - y + y^2", "x - y + 2*x*y")}) {
    CHECK(a.outcome == Outcome::proved);
    REQUIRE(a.answer.find("dimension") != nullptr);
    CHECK(*a.answer.find("dimension")->get_if<long>() == 1);
  }
  CHECK(split("x^2/2", "-y", "x").outcome == Outcome::refuted);  // another force
}

TEST_CASE("conditions have their sign once, and parameters of either sign have one") {
  const Answer relativistic = ask({"-sqrt(1 - x'^2 - y'^2)", "xy"}, "inverse-problem");
  CHECK(domain_in(relativistic.answer).where == std::vector<std::string>{"1 - x'^2 - y'^2 > 0"});
  const Model free{"1/2*(x'^2 + y'^2)", "xy",
                   "[parameters]\nk = { value = -1 }\nm = { value = 1, positive = true }\n"};
  const auto positive_where = [&](const char* density) {
    const Answer a = stated_conjecture(free.system(), "measure", density, "here");
    CHECK(a.outcome == Outcome::proved);
    return domain_in(a.answer).where;
  };
  CHECK(positive_where("k") == std::vector<std::string>{"k > 0"});
  CHECK(positive_where("k^2*m") == std::vector<std::string>{"k != 0"});
  CHECK(positive_where("m").empty());
  CHECK(stated_conjecture(free.system(), "measure", "-m", "here").outcome == Outcome::refuted);
}

TEST_CASE("no set is excluded that is empty for the signs of the parameters") {
  const auto independent = [](const char* constraint) {
    const Answer a = ask({space, "xyz",
                          fmt::format("[parameters]\na = {{ value = 1, positive = true }}\nb = {{ value = 1, "
                                      "positive = true }}\n[constraints]\nc = \"{}\"\n",
                                      constraint)},
                         "regularity");
    return domain_in(a.answer).where.empty() &&
           std::none_of(a.why.begin(), a.why.end(),
                        [](const std::string& line) { return line.find("smaller") != std::string::npos; });
  };
  CHECK(independent("(a*x^2 + y^2)*z' = (x + b)*x'"));
  CHECK(independent("(x^2 - a)*z' = (y^2 + x^2 + b*x^4)*x'"));
  CHECK_FALSE(independent("(a*x^2 + y^2)*z' = x*x'"));
}
