#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>

#include "../../../forms.hpp"

using namespace rattleback;

namespace {

std::string obstacle_of(const System& system) {
  try {
    chaplygin_reduction(system);
  } catch (const Error& e) {
    return e.slug == "form-does-not-apply" ? e.why : e.slug;
  }
  return "";
}
std::string obstacle_of(const std::string& model) { return obstacle_of(load_model(model)); }

}  // namespace

TEST_CASE("Chaplygin systems, abelian and not, satisfy d'Alembert's principle") {
  for (const auto& [model, abelian] :
       std::vector<std::pair<std::string, bool>>{{"vertical-disk", true},
                                                 {"nonholonomic-particle", true},
                                                 {"iliyev", true},
                                                 {"fernandez-class", true},
                                                 {"heisenberg-particle", true},
                                                 {"veselova-euler", true},
                                                 {"snakeboard", true},
                                                 {"falling-disk", true},
                                                 {"chaplygin-sphere-euler", true},
                                                 {"two-wheeled-carriage", false},
                                                 {"differential-drive", false}}) {
    CAPTURE(model);
    const System system = load_model(model);
    const Chaplygin reduction = chaplygin_reduction(system);
    CHECK(reduction.is_abelian() == abelian);
    CHECK(all_vanish(dalembert_residuals(system, chaplygin_equations(system, reduction))));
  }
}

TEST_CASE("the reduced equations do not contain the fibre") {
  const System carriage = load_model("two-wheeled-carriage");
  const EquationsOfMotion equations = chaplygin_equations(carriage);
  for (const Expr rate : equations.speed_rates) {
    for (const Symbol q : carriage.space.functions().subspan(0, 3)) CHECK_FALSE(contains(rate, q));
  }
}

TEST_CASE(
    "K and the bracket of the two-wheeled carriage: the offset mass centre shows the sign of the curvature") {
  const System carriage = load_model("two-wheeled-carriage");
  Chaplygin c = chaplygin_reduction(carriage);
  const auto equal = [&](Expr e, const std::string& text) {
    return proved(are_equal(e, parse(text, carriage.scope)));
  };
  CHECK(equal(c.form.B(1, 0, 1), "R^2/(2*c)"));
  CHECK(equal(c.lambda(0, 1), "R^3*l*m*(f2' - f1')/(4*c^2)"));
  CHECK(equal(c.K(0, 1, 0), "R^3*l*m/(2*(2*Cw*c^2 + J*R^2))"));
  CHECK(equal(c.K(0, 1, 1), "-R^3*l*m/(2*(2*Cw*c^2 + J*R^2))"));
  c.lambda = -c.lambda;  // what -C^a_bc A^b A^c would give: all of the curvature is the group's
  CHECK(some_do_not_vanish(dalembert_residuals(carriage, chaplygin_equations(carriage, c))));
}

TEST_CASE("a base that is a group: the Chaplygin sphere over SO(3)") {
  const System sphere = load_model("chaplygin-sphere");
  const EquationsOfMotion equations = chaplygin_equations(sphere);
  CHECK(all_vanish(dalembert_residuals(sphere, equations)));
}

TEST_CASE("what is no Chaplygin system is refused with the reason") {
  CHECK(obstacle_of("suslov") == "the fibre velocities belong to a part of a group only");
  CHECK(obstacle_of("euler-top") == "it has no constraints");
  CHECK(obstacle_of("affine-particle") == "the constraint on z is affine, not linear");
  CHECK(obstacle_of("ball-on-turntable") == "the Lagrangian changes along x");
  CHECK(obstacle_of("kinematically-determined") != "");
  // x' = y' cot(t): the curvature of a connection that moves has a part with ∂A/∂t, which Voronets' form has
  const System turning = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2) - y\"\nspace = { x = \"R\", y = \"R\" }\n"
      "constraints = { blade = \"x'*sin(t) = y'*cos(t)\" }\n",
      "turning");
  CHECK(obstacle_of(turning) == "the constraint on x depends on time");
  CHECK(obstacle_of("appell-hamel") == "constraint `cone` is not linear in the velocities");
}
