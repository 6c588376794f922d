// Statements that were false or missing once, each with the model that showed it and with a neighbour for which the opposite is true.
#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/linearisation.hpp>
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

TEST_CASE(
    "what is refuted of forces that switch is refuted of functions in general, and the checker reads them") {
  const auto with_force = [](const std::string& force) {
    return "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = "
           "\"S1\"\n[constraints]\nc = "
           "\"y' = z*z'\"\nd = \"x'*sin(z) = y'*cos(z)\"\n[forces]\nz = \"" +
           force + "\"\n";
  };
  const std::string general = ", sign being general";
  // sign(z)^2 is 1: this force does no work, and that is not known of a function in its place.
  CHECK(answer_to("energy", with_force("z'*(sign(z)^2 - 1)")).statement.ends_with(general));
  CHECK_FALSE(answer_to("energy", with_force("-z'")).statement.ends_with(general));
  // Answers that rest on a certificate which the checker reads: it stopped at `sign`.
  for (const char* force : {"-sign(z')", "max(z - 1, 0)"}) {
    const Answer a = answer_to("integrability", with_force(force));
    CHECK(a.outcome == Outcome::proved);
    CHECK_FALSE(a.statement.ends_with(general));
  }
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
  CHECK(loop.outcome == Outcome::proved);  // its unit tangent, which vanishes nowhere on it (N.18)
  CHECK(says(loop, "1 generator"));
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

TEST_CASE("a symmetry of one part of N is none of the others") {
  // 1 + cos(a) + cos(b) + cos(a + b) = 4 cos(a/2) cos(b/2) cos((a + b)/2): three circles that cross.
  const Answer a = answer_to("symmetries",
                             "lagrangian = \"1/2*(a'^2 + b'^2 + (a' + b')^2)\"\n[space]\na = \"S1\"\nb = "
                             "\"S1\"\n[constraints]\nc = \"cos(a) + cos(b) + cos(a + b) = -1\"\n");
  CHECK_FALSE(says(a, "cos(b)/cos(a)"));
}

TEST_CASE("a field that vanishes on N is called what it is by a claim, too") {
  const System circle = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n[constraints]\nc = \"x^2 + y^2 = "
      "1\"\n",
      "circle.toml");
  const Answer nothing = symmetry_conjecture(circle, field_of_conjecture(circle, "x = y*(x^2 + y^2 - 1)"));
  CHECK(nothing.outcome == Outcome::refuted);
  CHECK(says(nothing, "vanishes where the position constraints hold"));
  CHECK(symmetry_conjecture(circle, field_of_conjecture(circle, "x = -y, y = x")).outcome == Outcome::proved);
}

TEST_CASE("straight lines are steady in polar coordinates, too") {
  const std::string polar =
      "lagrangian = \"1/2*(r'^2 + r^2*f'^2 + z'^2)\"\n[space]\nr = \"R\"\nf = \"S1\"\nz = "
      "\"R\"\n[constraints]\n"
      "c = \"z' = r*sin(f)*(r'*cos(f) - r*sin(f)*f')\"\n";
  const Answer fields = answer_to("symmetries", polar);
  REQUIRE(fields.outcome == Outcome::proved);
  CHECK(says(fields, "2 generators"));                  // as in Cartesian coordinates: z' = y x'
  CHECK_FALSE(domain_in(fields.answer).where.empty());  // 1/r
  const Answer steady = answer_to("equilibria", polar);
  const bool rest_alone = says(steady, "at rest") && steady.why.size() == 2;
  CHECK_FALSE((steady.outcome == Outcome::proved && rest_alone));
}

TEST_CASE("the crossing of two lines is no regular place, and a circle has no centre") {
  const std::string cross =
      "lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n[constraints]\nc = \"x*y = 0\"\n";
  const Answer energy = answer_to("energy", cross);
  CHECK(domain_in(energy.answer).where == std::vector<std::string>{"not (y = 0 and x = 0)"});
  CHECK_FALSE(says(answer_to("equilibria", cross), "multiples of 2*pi"));  // of y = 0 every x is a period
  std::string circle = cross;
  circle.replace(circle.find("x*y = 0"), 7, "x^2 + y^2 = 1");
  CHECK(domain_in(answer_to("energy", circle).answer).where.empty());
  CHECK_FALSE(says(answer_to("regularity", circle), "the rank is smaller"));
}

TEST_CASE("Chow's theorem on N, with longer brackets, and not about parameters") {
  const auto reach = [](const std::string& constraint) {
    return answer_to("integrability",
                     "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
                     "[parameters]\nk = 1\n[constraints]\nc = \"" +
                         constraint + "\"\n");
  };
  CHECK(says(reach("z' = y^3*x'"), "at every configuration"));
  CHECK(says(reach("z' = z^2*y*x'"), "off z = 0"));
  CHECK(says(reach("z' = k*y*x'"), "at every configuration"));
  const Answer cylinder = reach("x^2 + y^2 = 1");
  CHECK(says(cylinder, "every direction of N"));
  CHECK_FALSE(says(cylinder, "is constant"));  // the constraint itself is no news
}

TEST_CASE("domains exclude poles of the potential, and functions of several values are local") {
  const Answer planet = answer_to(
      "energy", "lagrangian = \"1/2*(x'^2 + y'^2) + 1/sqrt(x^2 + y^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n");
  CHECK(domain_in(planet.answer).where == std::vector<std::string>{"x^2 + y^2 != 0"});
  const std::string motor = "lagrangian = \"1/2*th'^2 - k*th\"\n[space]\nth = \"S1\"\n[parameters]\nk = 1\n";
  CHECK(domain_in(answer_to("energy", motor).answer).local);
  CHECK(domain_in(answer_to("inverse-problem", motor).answer).local);
  std::string line = motor;
  line.replace(line.find("S1"), 2, "R");
  CHECK_FALSE(domain_in(answer_to("energy", line).answer).local);
  const Answer wheel = answer_to("integrals",
                                 "lagrangian = \"1/2*(x'^2 + f'^2) - x^4\"\n[space]\nx = \"R\"\nf = \"S1\"\n"
                                 "[constraints]\nc = \"x' = f'\"\n");
  CHECK(wheel.outcome != Outcome::proved);  // x - f is no function on the circle
  CHECK(says(wheel, "on the cover"));
}

TEST_CASE("a Lagrangian with poles is one off them") {
  const Answer a =
      answer_to("inverse-problem",
                "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nz = \"R\"\n"
                "[constraints]\nc = \"z' = y*x'\"\n");
  REQUIRE(a.outcome == Outcome::proved);
  const std::vector<std::string> where = domain_in(a.answer).where;
  CHECK(std::find(where.begin(), where.end(), "y' != 0") != where.end());  // q_1' below the bar
}

TEST_CASE(
    "friction that is not linear: a measure is looked for, and the polynomial has the degree of the state") {
  const Answer measure =
      answer_to("invariant-measure",
                "lagrangian = \"1/2*x'^2 - x^2/2\"\n[space]\nx = \"R\"\n[parameters]\nc = 1\n"
                "[forces]\nx = \"-c*x'^3\"\n");
  CHECK(measure.outcome == Outcome::not_found);
  const Answer steady = answer_to(
      "equilibria", "lagrangian = \"1/2*(x'^2 + y'^2) - x^2 - y^4\"\n[space]\nx = \"R\"\ny = \"R\"\n");
  CHECK(says(steady, "lambda^2*(2 + lambda^2)"));  // y is felt, though not to first order
}

TEST_CASE("parameters at which a potential gets a symmetry are all found") {
  const Answer a =
      answer_to("symmetries",
                "lagrangian = \"m/2*x'^2 + n/2*y'^2 - a*x^2 - b*y^2\"\n[space]\nx = \"R\"\ny = \"R\"\n"
                "[parameters]\nm = { value = 1, positive = true }\nn = { value = 2, positive = true "
                "}\na = 1\nb = 3\n");
  REQUIRE(a.outcome == Outcome::refuted);
  CHECK(a.unless.size() == 3);  // a = 0, b = 0, a n = b m
}
