#include <doctest/doctest.h>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

System particle(const std::string& constraints, const std::string& rest = "") {
  return read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2) - V(x, y, z)\"\n"
      "space = { x = \"R\", y = \"R\", z = \"R\" }\n"
      "functions = { V = [\"x\", \"y\", \"z\"] }\n"
      "constraints = " +
          constraints + "\n" + rest,
      "particle");
}

std::string slug_of(const System& system) {
  try {
    gibbs_appell_equations(system);
  } catch (const Error& e) {
    return e.slug;
  }
  return "";
}

}  // namespace

TEST_CASE("Gibbs-Appell satisfies d'Alembert's principle on every kind of model") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "knife-edge", "vertical-disk", "two-coaxial-disks",
        "suslov", "two-points-parallel", "appell-hamel", "quadratic-cone-particle", "constant-speed-particle",
        "affine-particle", "massless-coordinate", "pursuit", "kapitza-pendulum", "magnetic-particle",
        "skate-in-a-field", "hydrodynamic-sleigh", "snakeboard", "falling-disk"}) {
    CAPTURE(model);
    const System system = load_model(model);
    CHECK(all_vanish(dalembert_residuals(system, gibbs_appell_equations(system))));
  }
}

TEST_CASE("the derivative of the Gibbs function is the equation of motion") {
  for (const std::string model : {"chaplygin-sleigh", "two-points-parallel", "suslov", "affine-particle",
                                  "pursuit", "magnetic-particle"}) {
    CAPTURE(model);
    const System system = load_model(model);
    const GibbsFunction S = gibbs_function(system, solved_velocities(system));
    const EquationsOfMotion equations = gibbs_appell_equations(system);
    SymbolMap rates;
    for (std::size_t a = 0; a < S.accelerations.size(); ++a)
      rates.emplace(S.accelerations[a], equations.speed_rates[a]);
    std::vector<Expr> residuals;
    for (std::size_t a = 0; a < S.accelerations.size(); ++a)
      residuals.push_back(substitute(derivative(S.value, S.accelerations[a]), rates) - S.forces[a]);
    CHECK(all_vanish(residuals));
    residuals[0] += equations.speeds[0];  // the mutant
    CHECK(some_do_not_vanish(residuals));
  }
}

TEST_CASE("nonlinear constraints are solved for a velocity, on the branch of the initial state") {
  const SolvedVelocities cone = solved_velocities(load_model("appell-hamel"));
  CHECK(text(cone.psi[2]) == "-a*sqrt(x'^2 + y'^2)");
  CHECK_FALSE(cone.linear);
  REQUIRE(cone.notes.size() == 1);
  CHECK(cone.notes[0].find("initial state") != std::string::npos);

  const SolvedVelocities other = solved_velocities(particle("{ cone = \"z'^2 = x'^2 + y'^2\" }"));
  CHECK(text(other.psi[2]) == "sqrt(x'^2 + y'^2)");
  CHECK(other.notes[0].find("the branch with the positive square root") != std::string::npos);

  // Linear in z' with a coefficient that cannot vanish is better than any root.
  const SolvedVelocities bent = solved_velocities(particle("{ bent = \"z' = x'^2 + y'^2\" }"));
  CHECK(text(bent.psi[2]) == "x'^2 + y'^2");
  CHECK(bent.notes.empty());

  // Roots of velocities and quotients have no slope at rest.
  CHECK(text(solved_velocities(particle("{ cone = \"z' = sqrt(x'^2 + y'^2)\" }")).psi[2]) ==
        "sqrt(x'^2 + y'^2)");
  CHECK(text(solved_velocities(particle("{ slope = \"z'/x' = y\" }")).psi[2]) == "y*x'");

  const SolvedVelocities two =
      solved_velocities(particle("{ flat = \"y' = x*x'\", cone = \"z'^2 = x'^2 + y'^2\" }"));
  CHECK(two.speeds.size() == 1);
}

TEST_CASE("two quadratic constraints are solved in the order that works, and say where") {
  // v1 ⊥ v2 and |v1| = |v2|: solving the second one first leaves a root in the first.
  const System crossed = read_model(R"m(lagrangian = "1/2*(a'^2 + b'^2 + c'^2 + d'^2)"
[space]
a = "R"
b = "R"
c = "R"
d = "R"
[constraints]
equal = "a'^2 + b'^2 = c'^2 + d'^2"
perp = "a'*c' + b'*d' = 0"
)m",
                                    "crossed.toml");
  const SolvedVelocities found = solved_velocities(crossed);
  CHECK(found.speeds.size() == 2);
  CHECK_FALSE(found.where.empty());
  CHECK_FALSE(found.linear);
  for (const Expr c : substitute(constraint_functions(crossed), found.substitution(crossed.space)))
    CHECK(vanishes_at_random_points(c));
  const SolvedVelocities speed = solved_velocities(particle("{ fast = \"x'^2 + y'^2 + z'^2 = 4\" }"));
  REQUIRE(speed.where.size() == 1);
  CHECK(speed.where[0].kind == Assumption::Kind::positive);
}

TEST_CASE("a constraint that cannot be solved asks for a parametrization, and takes one") {
  const std::string odd = "{ odd = \"exp(x') + exp(y') + exp(z') = 3\" }";
  CHECK(slug_of(particle(odd)) == "no-parametrization");
  const System given = particle(odd,
                                "[parametrization]\nspeeds = [\"a\", \"b\"]\nx = \"a\"\ny = \"b\"\n"
                                "z = \"log(3 - exp(a) - exp(b))\"\n");
  CHECK(slug_of(given) == "");
  CHECK(gibbs_appell_equations(given).speeds.size() == 2);
}

TEST_CASE("a parametrization must satisfy the constraints and reach every admissible velocity") {
  const std::string plane = "{ flat = \"z' = y*x'\" }";
  const auto with = [&](const std::string& table) {
    return slug_of(particle(plane, "[parametrization]\n" + table));
  };
  CHECK(with("speeds = [\"a\", \"b\"]\nx = \"a\"\ny = \"b\"\nz = \"y*a\"\n") == "");
  CHECK(with("speeds = [\"a\", \"b\"]\nx = \"a\"\ny = \"b\"\nz = \"x*a\"\n") == "bad-parametrization");
  CHECK(with("speeds = [\"a\", \"b\"]\nx = \"a + b\"\ny = \"a + b\"\nz = \"y*(a + b)\"\n") ==
        "bad-parametrization");
  CHECK(with("speeds = [\"a\"]\nx = \"a\"\ny = \"a\"\nz = \"y*a\"\n") == "bad-parametrization");
}

TEST_CASE("singular states are reported") {
  const auto conditions = [](const std::string& model) {
    std::vector<std::string> all;
    for (const Assumption& a : gibbs_appell_equations(load_model(model)).where)
      all.push_back(text(a.expression));
    return all;
  };
  CHECK(conditions("two-points-parallel") == std::vector<std::string>{"m1*rho^2 + m2*sigma^2"});
  CHECK(conditions("appell-hamel") == std::vector<std::string>{"x'^2 + y'^2"});
  CHECK(conditions("chaplygin-sleigh").empty());
  const System square = particle("{ flat = \"y' = 0\", still = \"z' = 0\" }",
                                 "[parametrization]\nspeeds = [\"a\"]\nx = \"a^2\"\ny = \"0\"\nz = \"0\"\n");
  REQUIRE(gibbs_appell_equations(square).where.size() == 1);
  CHECK(text(gibbs_appell_equations(square).where[0].expression) == "a");
}

TEST_CASE("redundant constraints: the multipliers that have the same reaction are named") {
  const System cart = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + th'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\nth = "
      "\"S1\"\n[constraints]\n"
      "left = \"x'*sin(th) = y'*cos(th)\"\nright = \"y'*cos(th) = x'*sin(th)\"\n",
      "cart.toml");
  const auto notes = gibbs_appell_equations(cart).notes;
  CHECK(std::any_of(notes.begin(), notes.end(), [](const std::string& n) {
    return n.starts_with("for every t the multipliers left ") && n.find(", right ") != std::string::npos;
  }));
}
