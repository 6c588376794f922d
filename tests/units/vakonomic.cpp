#include <doctest/doctest.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/motion/formalism.hpp>
#include <rattleback/motion/vakonomic.hpp>

#include "../forms.hpp"

using namespace rattleback;

TEST_CASE("the variational equations satisfy Hamilton's principle, and not d'Alembert's") {
  for (const std::string model : {"chaplygin-sleigh", "vertical-disk", "nonholonomic-particle",
                                  "heisenberg-particle", "suslov", "two-wheeled-carriage", "affine-particle",
                                  "magnetic-particle", "knife-edge-incline", "chaplygin-sleigh-se2"}) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion equations = vakonomic_equations(system);
    CHECK(all_vanish(variational_residuals(system, equations)));
    CHECK(some_do_not_vanish(dalembert_residuals(system, equations)));
  }
  CHECK_FALSE(formalism("vakonomic").agrees);
}

TEST_CASE("nonlinear constraints: the state has all velocities, and the constraint is kept") {
  const System cone = load_model("appell-hamel");
  const EquationsOfMotion equations = vakonomic_equations(cone);
  CHECK(equations.speeds.size() == 4);
  CHECK(all_vanish(lagrange_residuals(
      cone, cone.lagrangian - equations.speeds[3] * cone.constraints[0].expression, equations)));
  const Expr rate = derivative_along(cone.constraints[0].expression, motion_of(cone, equations));
  CHECK(proved(is_zero(rate)));
}

TEST_CASE("holonomic constraints: both principles give one motion") {
  const System pendulum = load_model("planar-pendulum");
  const EquationsOfMotion equations = vakonomic_equations(pendulum);
  CHECK(all_vanish(variational_residuals(pendulum, equations)));
  CHECK(all_vanish(dalembert_residuals(pendulum, equations)));
}

TEST_CASE("no condition is invented: the sleigh needs none, whatever its heading") {
  CHECK(vakonomic_equations(load_model("chaplygin-sleigh")).where.empty());
}

TEST_CASE("without constraints, or with a singular Hessian, the form is refused") {
  CHECK_THROWS_WITH_AS(vakonomic_equations(load_model("cart-pendulum")),
                       doctest::Contains("need constraints"), Error);
  const System massless = read_model(
      "lagrangian = \"x'^2\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\nconstraints = { c = \"z' = y*x'\" "
      "}\n",
      "massless");
  CHECK_THROWS_AS(vakonomic_equations(massless), Error);
}
