#include <doctest/doctest.h>

#include <rattleback/motion/agreement.hpp>
#include <rattleback/motion/formalism.hpp>
#include <rattleback/motion/reduced_motion.hpp>
#include <rattleback/motion/written_velocities.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

/// Coordinates and groups; linear, affine, moving and nonlinear constraints; forces, potentials, abstract functions.
const std::vector<std::string> models{
    "chaplygin-sleigh",
    "chaplygin-sleigh-se2",
    "chaplygin-sleigh-algebra",
    "vertical-disk",
    "suslov",
    "euler-top",
    "heisenberg-particle",
    "falling-disk",
    "affine-particle",
    "chaplygin-sphere",
    "knife-edge-incline",
    "pursuit",
    "skate-in-a-field",
    "snakeboard",
    "massless-coordinate",
    "appell-hamel",
    "fernandez-class",
    "quadratic-cone-particle",
    "kapitza-pendulum",
    "magnetic-particle",
};

}  // namespace

TEST_CASE("the motion for programs satisfies d'Alembert's principle on every kind of model") {
  for (const std::string& model : models) {
    CAPTURE(model);
    const System system = load_model(model);
    EquationsOfMotion equations = reduced_motion(system);
    CHECK(all_vanish(dalembert_residuals(system, equations)));
    equations.speed_rates[0] += 1;
    CHECK(some_do_not_vanish(dalembert_residuals(system, equations)));
  }
}

TEST_CASE("the motion for programs has the state of the form that people read") {
  for (const std::string& model : models) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion equations = reduced_motion(system),
                            printed = formalism(equations.form).derive(system);
    CHECK(equations.configuration == printed.configuration);
    CHECK(equations.speeds == printed.speeds);
    CHECK(proved(agreement(system, {equations, printed}).motion));
  }
}

TEST_CASE("the velocities that a Lagrangian is written with (H.5)") {
  const System system = load_model("car-2-trailers");
  const WrittenVelocities written = written_velocities(system.lagrangian, system.space.velocities());
  CHECK(written.names.size() == 9);  // two of each axle and one turning rate for each body
  SymbolMap back;
  for (std::size_t k = 0; k < written.names.size(); ++k) back.emplace(written.names[k], written.forms[k]);
  CHECK(substitute(written.function, back) == system.lagrangian);
  for (const Symbol v : system.space.velocities()) CHECK(!contains(written.function, v));
}
