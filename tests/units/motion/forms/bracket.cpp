#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/view/formulas/bracket_in_velocities.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

TEST_CASE("the sleigh in momenta, as the notes print it") {
  const System sleigh = load_model("chaplygin-sleigh");
  const EquationsOfMotion equations = bracket_equations(sleigh);
  CHECK(has_rate(sleigh, equations, "p_u", "m*a*p_omega^2/(J + m*a^2)^2"));
  CHECK(has_rate(sleigh, equations, "p_omega", "-a*p_u*p_omega/(J + m*a^2)"));
  CHECK(has_rate(sleigh, equations, "x", "p_u*cos(theta)/m"));
  CHECK(has_rate(sleigh, equations, "theta", "p_omega/(J + m*a^2)"));
}

TEST_CASE("the bracket form satisfies d'Alembert's principle on every kind of model") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "chaplygin-sleigh-algebra", "vertical-disk", "suslov",
        "euler-top", "cart-pendulum", "heisenberg-particle", "falling-disk", "magnetic-particle",
        "affine-particle", "knife-edge-incline", "planar-pendulum", "skate-in-a-field",
        "massless-coordinate"}) {
    CAPTURE(model);
    const System system = load_model(model);
    CHECK(all_vanish(dalembert_residuals(system, bracket_equations(system))));
  }
}

TEST_CASE("speeds in momenta and momenta in speeds are inverse to each other") {
  for (const std::string model : {"snakeboard", "magnetic-particle", "affine-particle", "falling-disk"}) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion equations = bracket_equations(system);
    for (std::size_t a = 0; a < equations.speeds.size(); ++a) {
      const Expr p = substitute(equations.speed_definitions[a], equations.velocities);
      CHECK(proved(are_equal(p, equations.speeds[a])));
    }
  }
}

TEST_CASE("gyroscopic, affine and moving systems: the general tensor and the drift") {
  const System system = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) + F(x, y, z)*x' + x*z' - V(x, y, z)"
space = { x = "R", y = "R", z = "R" }
functions = { A = ["x", "y", "z"], c = ["x", "y"], F = ["x", "y", "z"], V = ["x", "y", "z"] }
constraints = { moving = "z' + A(x, y, z)*x' + cos(t)*y*y' + c(x, y) = 0" }
forces = { x = "-k*x'", z = "x*y" }
parameters = { k = 1 }
)toml",
                                   "moving");
  const Admissible D = admissible_velocities(system);
  const ConstrainedBracket b = constrained_bracket(system, D);
  CHECK(all_vanish(dalembert_residuals(system, bracket_equations(system))));
  // -C p alone, without what D-perp carries, is not enough here.
  const StructureCoefficients c = constrained_structure_coefficients(system, D);
  const Expr naive = -(c(0, 1, 0) * b.momenta[0] + c(0, 1, 1) * b.momenta[1]);
  CHECK(refuted(are_equal(b.tensor(3, 4), naive)));
}

TEST_CASE("rank and null forms: twice the degrees of freedom, and the constraints") {
  const System disk = load_model("vertical-disk");
  const ConstrainedBracket b = constrained_bracket(disk, admissible_velocities(disk));
  CHECK(rank(b.tensor) == 4);
  const std::vector<OneForm> null = null_forms(b.tensor);
  REQUIRE(null.size() == 2);
  for (const OneForm& alpha : null) {
    for (int a = 0; a < 2; ++a) CHECK(alpha[4 + a].is_zero());
    for (int a = 0; a < 2; ++a) {
      const VectorField X = b.D.leg(a);
      CHECK(proved(is_zero(alpha[0] * X[0] + alpha[1] * X[1] + alpha[2] * X[2] + alpha[3] * X[3])));
    }
  }
}

TEST_CASE("a Lagrangian that is not quadratic has no Hamiltonian in closed form") {
  const System quartic =
      read_model("lagrangian = \"x'^4 + x'^2 + y'^2\"\nspace = { x = \"R\", y = \"R\" }\n", "quartic");
  CHECK_THROWS_WITH_AS(bracket_equations(quartic), doctest::Contains("Legendre"), Error);
}

TEST_CASE("nonlinear constraints are refused, with their place") {
  try {
    bracket_equations(load_model("appell-hamel"));
    FAIL("not refused");
  } catch (const Error& e) {
    CHECK(e.slug == "form-does-not-apply");
    CHECK(e.where.size() == 1);
  }
}

TEST_CASE("a page in velocities is the motion in momenta, and shorter (P.8)") {
  CHECK_FALSE(bracket_in_velocities(load_model("chaplygin-sleigh"),
                                    bracket_equations(load_model("chaplygin-sleigh"))));
  for (const char* name : {"chaplygin-sphere", "chaplygin-top", "two-wheeled-carriage"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const EquationsOfMotion solved = bracket_equations(system);
    const auto page = bracket_in_velocities(system, solved);
    REQUIRE(page);
    const Admissible D = admissible_velocities(system);
    const ConstrainedBracket b = constrained_bracket(system, D), named = in_velocities(system, b);
    SymbolMap to_momenta;
    for (std::size_t a = 0; a < D.speeds.size(); ++a)
      to_momenta.emplace(D.speeds[a], page->definitions[a].value);
    std::vector<Expr> residuals{substitute(named.hamiltonian, to_momenta) - b.hamiltonian};
    for (std::size_t a = 0; a < solved.speeds.size(); ++a)
      residuals.push_back(substitute(page->momentum_rates[a], to_momenta) - solved.speed_rates[a]);
    for (std::size_t i = 0; i < solved.configuration.size(); ++i)
      residuals.push_back(substitute(page->configuration_rates[i], to_momenta) -
                          solved.configuration_rates[i]);
    CHECK(all_vanish(residuals));
    residuals[1] += solved.speeds[0];  // the mutant
    CHECK(some_do_not_vanish(residuals));
  }
  const System sphere = load_model("chaplygin-sphere");
  const auto page = bracket_in_velocities(sphere, bracket_equations(sphere));
  CHECK(text(page->momentum_rates[0]) == "Omega3*p_Omega2 - Omega2*p_Omega3");
}
