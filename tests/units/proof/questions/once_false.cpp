// Statements that were false or missing once, each with the model that showed it and with a neighbour for which the opposite is true.
#include <doctest/doctest.h>

#include <rattleback/model/load.hpp>
#include <rattleback/motion/linearisation.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/questions/question.hpp>

using namespace rattleback;

namespace {

Answer answer_to(const std::string& name, const std::string& text) {
  const System system = read_model(text, "model.toml");
  return asked(question(name), system, 30);
}

bool says(const Answer& a, const std::string& part) {
  for (const std::string& why : a.why)
    if (why.find(part) != std::string::npos) return true;
  return false;
}

/// y' = y x': the leaf y = 0 is invariant. On the line exp(-x) (1 + y^2) is a density; on the circle only (1 + y^2)/y is left, with a pole.
std::string leaf(const std::string& space_of_x) {
  return "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"" + space_of_x +
         "\"\ny = \"R\"\n[constraints]\nc = \"y' = y*x'\"\n";
}

const char* lotka_volterra = R"(
lagrangian = "1/2*(log(y)/x*x' - log(x)/y*y') + a*log(y) - b*y + c*log(x) - d*x"
[space]
x = "R"
y = "R"
[parameters]
a = 1
b = 1
c = 1
d = 1
)";

}  // namespace

TEST_CASE("a density with a pole inside a sum is no density") {
  CHECK(answer_to("invariant-measure", leaf("S1")).outcome == Outcome::refuted);
  CHECK(answer_to("invariant-measure", leaf("R")).outcome == Outcome::proved);
}

TEST_CASE("a field that vanishes where the position constraints hold is no symmetry") {
  const std::string wave =
      "lagrangian = \"1/2*(x'^2 + y'^2) - V\"\n[space]\nx = \"R\"\ny = \"S1\"\n[parameters]\nV = 0\n"
      "[constraints]\nc = \"x = cos(y)\"\n";
  std::string with_potential = wave;
  with_potential.replace(with_potential.find(" - V"), 4, " - sin(y)");
  const Answer a = answer_to("symmetries", with_potential);
  CHECK(a.outcome != Outcome::proved);
  const Answer loop = answer_to("symmetries",
                                "lagrangian = \"1/2*(a'^2 + b'^2)\"\n[space]\na = \"S1\"\nb = \"S1\"\n"
                                "[constraints]\nc = \"cos(a) + cos(b) = 1\"\n");
  CHECK(loop.outcome != Outcome::proved);
  // Turning a circle is one, and it is one alone however the circle is written.
  const Answer circle = answer_to("symmetries",
                                  "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n"
                                  "[constraints]\nc = \"(x^2 + y^2 - 1)*(1 + x^2) = 0\"\n");
  CHECK(circle.outcome == Outcome::proved);
  CHECK(says(circle, "1 generator"));
}

TEST_CASE("families of equilibria are closed: rest on the circle of minima is among them") {
  const Answer a =
      answer_to("equilibria",
                "lagrangian = \"1/2*(x'^2 + y'^2) - (x^2 + y^2 - 1)^2\"\n[space]\nx = \"R\"\ny = \"R\"\n");
  CHECK(a.outcome == Outcome::proved);
  CHECK(says(a, "(1 + y)*(y - 1) >= 0"));
}

TEST_CASE("affine constraints add a field to that of the bracket, and the answer says so") {
  const std::string affine =
      "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n[constraints]\nc = \"x' = y\"\n";
  CHECK(says(answer_to("jacobi", affine), "Casimirs need not be constant"));
  std::string linear = affine;
  linear.replace(linear.find("x' = y"), 6, "x' = y'");
  CHECK_FALSE(says(answer_to("jacobi", linear), "Casimirs need not be constant"));
}

TEST_CASE("a Lagrangian that is linear in the velocities gets every answer, and none takes down the others") {
  const System system = read_model(lotka_volterra, "lotka.toml");
  for (const Question& q : all_questions()) CHECK_NOTHROW(asked(q, system, 10));
  CHECK(asked(question("energy"), system, 10).outcome == Outcome::proved);
  CHECK(asked(question("jacobi"), system, 10).outcome == Outcome::inapplicable);
  const auto x = Expr(*system.space.coordinate(0)), y = Expr(*system.space.coordinate(1));
  CHECK(conserved_conjecture(system, log(x) - x + log(y) - y).outcome == Outcome::refuted);
  std::vector<Expr> p;
  for (const Parameter& each : system.parameters) p.emplace_back(each.symbol);
  CHECK(conserved_conjecture(system, p[0] * log(y) - p[1] * y + p[2] * log(x) - p[3] * x).outcome ==
        Outcome::proved);
}

TEST_CASE("small motions of first order: Lotka and Volterra's equilibrium is a centre") {
  const System system = read_model(lotka_volterra, "lotka.toml");
  const Linearisation small = linearisation(system, {{"x", "c/d"}, {"y", "a/b"}});
  Numbers at;
  for (const Parameter& each : system.parameters) at.emplace(each.symbol, 1.0);
  const auto lambda = spectrum(small, at);
  REQUIRE(lambda.size() == 2);
  CHECK(std::abs(lambda[0] - std::complex<double>(0, -1)) < 1e-12);
  CHECK_THROWS(linearisation(system, {{"x", "1"}, {"y", "2"}}));
}

TEST_CASE("Casimirs are real: a root has the sign that makes it so") {
  const Answer a =
      answer_to("jacobi",
                "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
                "[parameters]\na = 1\n[constraints]\nc = \"z' = sin(a)*x*y'\"\n");
  CHECK(says(a, "1 Casimir"));
  CHECK_FALSE(says(a, "sqrt(-"));
}

TEST_CASE("equilibria of an angle that counts its turns are listed for one turn, and the answer says so") {
  const std::string pendulum = "lagrangian = \"1/2*th'^2 + cos(th)\"\n[space]\nth = \"R\"\n";
  CHECK(says(answer_to("equilibria", pendulum), "up to multiples of 2*pi in th"));
  std::string circle = pendulum;
  circle.replace(circle.find("\"R\""), 3, "\"S1\"");
  CHECK_FALSE(says(answer_to("equilibria", circle), "up to multiples"));
}

TEST_CASE("the domain of an answer excludes zeros and poles of its witness") {
  const Answer knife =
      answer_to("chaplygin-multiplier",
                "lagrangian = \"1/2*(x'^2 + y'^2 + th'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nth = \"S1\"\n"
                "[constraints]\nc = \"x'*sin(th) = y'*cos(th)\"\n");
  REQUIRE(knife.outcome == Outcome::proved);
  CHECK_FALSE(domain_in(knife.answer).where.empty());  // f = cos(th) or sin(th)
  const Answer variational = answer_to("conditionally-variational", leaf("R"));
  REQUIRE(variational.outcome == Outcome::proved);
  CHECK(domain_in(variational.answer).where ==
        std::vector<std::string>{"y != 0"});  // the multiplier is -x'/y
}
