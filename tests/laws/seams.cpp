// Small systems at the seams where statements were once too strong: poles of chosen formulas, roots of velocities, ranks that drop, tails
// without a zero, products of constraints, symmetries of position constraints.
#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/model/load.hpp>
#include <rattleback/model/triage.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

constexpr double seconds = 20;

struct Sketch {
  std::string lagrangian, space, constraints, further = "";

  System system() const {
    std::string text = "lagrangian = \"" + lagrangian + "\"\n[space]\n";
    for (const char q : space) text += std::string(1, q) + " = \"R\"\n";
    if (!constraints.empty()) text += "[constraints]\nc = \"" + constraints + "\"\n";
    return read_model(text + further, "seam");
  }
};

Answer ask(const Sketch& s, const char* name) { return asked(question(name), s.system(), seconds); }

std::vector<std::string> where(const Answer& a) { return domain_in(a.answer).where; }

bool says(const Answer& a, const std::string& part) {
  return std::any_of(a.why.begin(), a.why.end(),
                     [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

using Conditions = std::vector<std::string>;

const std::string plane = "1/2*(x'^2 + y'^2)", space = "1/2*(x'^2 + y'^2 + z'^2)";

}  // namespace

TEST_CASE("roots of velocities limit the domain") {
  const Answer a = ask({"-sqrt(1 - x'^2 - y'^2)", "xy", ""}, "energy");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a) == Conditions{"1 - x'^2 - y'^2 > 0"});
  CHECK(where(ask({plane, "xy", ""}, "energy")).empty());
}

TEST_CASE("where the kinetic energy degenerates is printed as a condition") {
  CHECK(where(ask({"1/2*x*x'^2", "x", ""}, "energy")) == Conditions{"x != 0"});
  const Answer a = ask({"1/2*(x' + y')^2 + 1/2*z'^2", "xyz", "y' = z*x'"}, "regularity");
  CHECK(a.outcome == Outcome::proved);
  CHECK(where(a) == Conditions{"1 + z != 0"});
}

TEST_CASE("where the rank of the constraints drops nothing is said of motions or of leaves") {
  CHECK(where(ask({space, "xyz", "x*z' = x*y*x'"}, "energy")) == Conditions{"x != 0"});
  CHECK(where(ask({space, "xyz", "x*z' = y*x'"}, "integrability")).size() == 1);
  CHECK(where(ask({space, "xyz", "x*x' + y*y' + z*z' = 0"}, "integrability")).size() == 1);
  CHECK(where(ask({space, "xyz", "z' = y*x'"}, "integrability")).empty());
}

TEST_CASE("a root that was taken to solve for a velocity is no condition of the statement") {
  CHECK(where(ask({plane, "xy", "x'^2 + y'^2 = 1"}, "energy")).empty());
  CHECK(where(ask({plane, "xy", "x'*y' = 1"}, "energy")).empty());
}

TEST_CASE("reactions that may work are not said to do none") {
  CHECK(says(ask({plane, "xy", "x'^2 + y'^2 = 1"}, "energy"), "adds up to 0"));
  CHECK(says(ask({space + " - z", "xyz", "x'^2 + y'^2 = z'^2"}, "energy"), "reactions do no work"));
  CHECK(ask({plane + " - y", "xy", "x'^2 + y'^2 = 1"}, "energy").outcome == Outcome::refuted);
}

TEST_CASE("an integral has no pole that its reciprocal has not") {
  const Answer a = ask({"1/2*(x'^2 + z'^2)", "xz", "z' = z*x'"}, "integrability");
  CHECK(a.outcome == Outcome::proved);
  CHECK(says(a, "z*exp(-x) is constant"));
}

TEST_CASE("a density is printed with the sign that makes it positive") {
  const Answer a = ask({"1/2*x*x'^2", "x", ""}, "invariant-measure");
  CHECK(says(a, "abs(x) dx dx' is invariant"));
}

TEST_CASE("tails that tend to 0 are no equilibria") {
  const Answer none = ask({"1/2*x'^2 - exp(x)", "x", ""}, "equilibria");
  CHECK(none.outcome != Outcome::proved);
  CHECK_FALSE(says(none, "Newton"));
  CHECK(ask({"1/2*x'^2 - exp(-x^2)", "x", ""}, "equilibria").outcome == Outcome::proved);
  CHECK(ask({"1/2*x'^2 - x^4", "x", ""}, "equilibria").outcome == Outcome::proved);
}

TEST_CASE("what is unstable for all parameters is not compared with the model's values") {
  const Answer a = ask({"1/2*x'^2 + x^2", "x", ""}, "equilibria");
  CHECK(says(a, "unstable"));
  CHECK_FALSE(says(a, "the model's values"));
  CHECK_FALSE(says(a, "general position"));
}

TEST_CASE("a product of velocity constraints states several systems") {
  const auto problem = [](const std::string& constraint) {
    const Triage found = triage(Sketch{plane + " - x^2", "xy", constraint}.system());
    return found.problems.empty() ? std::string() : found.problems.front().slug;
  };
  CHECK(problem("(x' - 1)*(y' - 1) = 0") == "singular-constraint");
  CHECK(problem("x'^2 - 3*x' + 2 = 0") == "singular-constraint");
  CHECK(problem("x'^2 + y'^2 = 1").empty());
  CHECK(problem("x'*y' = 1").empty());
}

TEST_CASE("a potential on a curve or a surface may leave no symmetry") {
  const auto outcome = [](const Sketch& s) { return ask(s, "symmetries").outcome; };
  CHECK(outcome({plane + " - x", "xy", "x^2 + y^2 = 1"}) == Outcome::refuted);
  CHECK(outcome({plane, "xy", "x^2 + y^2 = 1"}) == Outcome::proved);
  CHECK(outcome({space + " - x - 2*y^2 - 3*z^3", "xyz", "x^2 + y^2 + z^2 = 1"}) == Outcome::refuted);
  CHECK(outcome({space + " - z", "xyz", "x^2 + y^2 + z^2 = 1"}) == Outcome::proved);
  CHECK(outcome({plane + " - y", "xy", "x*y = 0"}) != Outcome::refuted);  // free along one of the lines
}
