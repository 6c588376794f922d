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
