/// Volume under the map of a stepper.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/study/step_derivative.hpp>
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

TEST_CASE("Gauss's methods keep areas of a pendulum to rounding: their steps are differentiated exactly") {
  const System pendulum = read_model(R"(
lagrangian = "cos(x) + 1/2*x'^2"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 0.5 }
)",
                                     "pendulum.toml");
  for (const char* method : {"gauss4", "gauss6"}) {
    const StepVolume kept = volume_of(pendulum, method, 0.2, 2000);
    CHECK(kept.is_exact);
    CHECK(kept.error == 0);
    CHECK(kept.largest < 1e-12);
  }
}

TEST_CASE("the stages of a step and differences of it give one derivative, also of rotations") {
  for (const char* model : {"chaplygin-sphere", "contact-oscillator"}) {
    const Flow flow(load_model(model));
    const std::vector<double> y = initial_state(flow);
    const Eigen::VectorXd at =
        Eigen::Map<const Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size()));
    for (const char* method : {"rk4", "gauss4", "gauss6"}) {
      double found[2] = {};
      for (const StepDerivative::By by : {StepDerivative::By::stages, StepDerivative::By::differences}) {
        StepDerivative derivative(flow, method, 0.2, by);
        const Eigen::VectorXd image = derivative.step(0.5, at);
        found[by == StepDerivative::By::stages ? 0 : 1] = derivative.log_determinant(0.5, at, image);
        CHECK(derivative.is_exact() == (by == StepDerivative::By::stages));
      }
      CAPTURE(model);
      CAPTURE(method);
      CHECK(std::abs(found[0]) > 1e-5);
      CHECK(std::abs(found[0] - found[1]) < 1e-11);
    }
  }
}

TEST_CASE("differences of a step say how far they may be from the truth, also where they are too wide") {
  // Discrete Lagrange-d'Alembert methods without constraints are symplectic.
  for (const std::string waves : {"2*cos(x)", "cos(600*x)/400000"}) {
    const System system =
        read_model("lagrangian = \"1/2*x'^2 + " + waves +
                       "\"\n[space]\nx = \"R\"\n[simulation]\ninitial = { x = 1, \"x'\" = 0.5 }\n",
                   "waves.toml");
    const StepVolume kept = volume_of(system, "dla-midpoint", 0.1, 2000);
    CHECK_FALSE(kept.is_exact);
    CHECK(kept.largest < 10 * kept.error);
    CHECK((kept.error > 1e-7) == (waves[0] == 'c'));
    CHECK((kept.error < 1e-9) == (waves[0] == '2'));
  }
}

TEST_CASE("angles that wind many times do not blur the differences of a step") {
  const System rotor = read_model(
      "lagrangian = \"1/2*a'^2 + cos(a)/2\"\n[space]\na = \"S1\"\n[simulation]\ninitial = "
      "{ a = 0, \"a'\" = 5 }\n",
      "rotor.toml");
  const StepVolume kept = volume_of(rotor, "dla-midpoint", 0.5, 10000);
  CHECK(kept.largest < 2e-7);  // 25000 radians: 2e-5 where they are not taken back to the circle
  CHECK(kept.error < 2e-7);
}
