/// Volume under the map of a stepper.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/study/step_volume.hpp>

using namespace rattleback;

namespace {

System oscillator() {
  return read_model(R"(
lagrangian = "1/2*x'^2 - 1/2*x^2"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 0 }
)",
                    "oscillator.toml");
}

StepVolume volume_of(const System& system, const std::string& method, double step, std::size_t steps) {
  const Flow flow(system);
  return step_volume(flow, initial_state(flow),
                     {.method = method, .step = step, .steps = steps, .samples = 10, .density = {}});
}

}  // namespace

TEST_CASE("Gauss's method keeps areas of an oscillator; Kutta's shrinks them by h^6/72 a step") {
  CHECK(volume_of(oscillator(), "gauss4", 0.2, 200).largest < 1e-9);
  // det of the matrix that Kutta's method of order 4 is on x'' = -x: 1 - h^6/72 + h^8/576.
  const double h = 0.2, expected = 200 * std::log(1 - std::pow(h, 6) / 72 + std::pow(h, 8) / 576);
  const StepVolume shrunk = volume_of(oscillator(), "rk4", h, 200);
  CHECK(shrunk.steps == 200);
  REQUIRE(shrunk.drift.size() == 10);
  CHECK(shrunk.drift.back() == doctest::Approx(expected).epsilon(1e-6));
  CHECK(shrunk.largest == doctest::Approx(-expected).epsilon(1e-6));
}

TEST_CASE("a method that chooses its steps has no map") {
  CHECK_THROWS_AS(volume_of(oscillator(), "dop853", 0.1, 10), Error);
}

TEST_CASE("a method that carries a momentum from step to step has no map of states") {
  CHECK_THROWS_AS(volume_of(oscillator(), "gni", 0.1, 10), Error);
}

TEST_CASE("an implicit step of a linear system has the determinant of its matrix") {
  // The midpoint rule for y' = A y has det(1 + hA/2)/det(1 - hA/2); here det(1 ± hA/2) = 1 ∓ ch/2 + h²/4.
  const System damped = read_model(R"(
lagrangian = "1/2*x'^2 - 1/2*x^2"
[forces]
x = "-x'/5"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 0 }
)",
                                   "damped.toml");
  const double h = 0.2, c = 0.2;
  const double expected = 100 * std::log((1 - c * h / 2 + h * h / 4) / (1 + c * h / 2 + h * h / 4));
  const StepVolume shrunk = volume_of(damped, "hamel", h, 100);
  REQUIRE(shrunk.drift.size() == 10);
  CHECK(shrunk.drift.back() == doctest::Approx(expected).epsilon(1e-9));
}
