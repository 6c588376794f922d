#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/numbers.hpp>
#include <rattleback/motion/hamel.hpp>

#include "../forms.hpp"

using namespace rattleback;

TEST_CASE("Hamel's equations satisfy d'Alembert's principle on every kind of model") {
  for (const std::string model :
       {"chaplygin-sleigh", "chaplygin-sleigh-se2", "chaplygin-sleigh-algebra", "vertical-disk", "suslov",
        "euler-top", "heisenberg-particle", "falling-disk", "magnetic-particle", "affine-particle",
        "knife-edge-incline", "planar-pendulum", "skate-in-a-field", "snakeboard", "massless-coordinate"}) {
    CAPTURE(model);
    const System system = load_model(model);
    EquationsOfMotion equations = hamel_equations(system);
    CHECK(all_vanish(dalembert_residuals(system, equations)));
    equations.speed_rates[0] += 1;
    CHECK(some_do_not_vanish(dalembert_residuals(system, equations)));
  }
}

TEST_CASE("constraints whose coefficients depend on time: the frame of D moves, and the equations know it") {
  const System plane = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
space = { x = "R", y = "R" }
constraints = { turning = "y' = t*x'" }
velocities = { u = "x'" }
)toml",
                                  "plane");
  const EquationsOfMotion equations = hamel_equations(plane);
  CHECK(has_rate(plane, equations, "u", "-t*u/(1 + t^2)"));
  CHECK(all_vanish(dalembert_residuals(plane, equations)));
}

TEST_CASE("the equations of rolling bodies hold in the upright attitude, too") {
  for (const char* name : {"rattleback", "routh-sphere", "chaplygin-top"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const EquationsOfMotion e = hamel_equations(system);
    std::vector<Expr> rates = e.configuration_rates;
    rates.insert(rates.end(), e.speed_rates.begin(), e.speed_rates.end());
    Numbers at;
    for (const Symbol s : symbols_of(rates)) {
      at[s] = s.role() == Role::rotation ? (s.attributes().entry % 4 == 0 ? 1 : 0)  // B = 1
                                         : 0.3 + 0.1 * static_cast<double>(at.size());
    }
    for (const Expr rate : rates) CHECK(std::isfinite(evaluate(rate, at)));
  }
}
