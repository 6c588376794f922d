#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/vakonomic.hpp>

#include "../../../forms.hpp"

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
  for (const std::string model :
       {"chaplygin-sphere", "rattleback", "routh-sphere", "rolling-ellipsoid", "car-3-trailers"}) {
    CAPTURE(model);
    CHECK(vakonomic_equations(load_model(model)).where.empty());
  }
  // A ball within a hoop that rolls on a line: its inertia is definite for |cos φ| ≤ 1 only.
  const System hoop = read_model(
      "kinetic = \"M*R^2*th'^2 + m/2*((R*th' + d*cos(ph)*ph')^2 + d^2*sin(ph)^2*ph'^2) + I/2*ps'^2\"\n"
      "potential = \"-m*g*d*cos(ph)\"\n"
      "space = { x = \"R\", th = \"S1\", ph = \"S1\", ps = \"S1\" }\n"
      "constraints = { roll = \"x' = R*th'\", inner = \"d*ph' - R*th' + ps' = 0\" }\n"
      "[parameters]\nM = { positive = true }\nm = { positive = true }\nR = { positive = true }\n"
      "d = { positive = true }\nI = { positive = true }\ng = {}\n",
      "hoop");
  for (const char* form : {"hamel", "voronets", "chaplygin", "reduced", "routh", "bracket", "vakonomic"}) {
    CAPTURE(form);
    CHECK(formalism(form).derive(hoop).where.empty());
  }
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
