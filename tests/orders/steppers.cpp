/// Every stepper against its own claim: the slope of the error over the step, on nonlinear problems with friction, moving
/// constraints and rotations, where no symmetry cancels errors.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/model/load.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/trajectory.hpp>

using namespace rattleback;

namespace {

struct Problem {
  std::string model;
  double until, step;
};
/// A sleigh (limits, no measure), a disk (pendulum-like), a ball with a rotation, and a tippe top with friction: it is not
/// reversible.
const std::vector<Problem> problems{{"chaplygin-sleigh", 2, 0.1},
                                    {"falling-disk", 0.5, 0.0125},
                                    {"chaplygin-sphere", 1, 0.05},
                                    {"tippe-top", 0.1, 0.0025}};

std::vector<double> end_of(const Flow& flow, const std::string& method, const StepperSettings& settings,
                           double until) {
  RunOptions options;
  options.method = method;
  options.settings = settings;
  options.until = until;
  options.reactions = false;
  const Trajectory run = trajectory(flow, initial_state(flow), options);
  REQUIRE_FALSE(run.failure);
  return run.final_state;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

/// The slope of log(error) over log(step), from two halvings.
double measured_order(const Flow& flow, const StepperRow& row, const Problem& problem,
                      const std::vector<double>& exact) {
  // High orders meet rounding early: longer steps for them.
  const double first = row.order > 4 ? 4 * problem.step : problem.step;
  double errors[2];
  for (int k = 0; k < 2; ++k)
    errors[k] = distance(end_of(flow, row.name, {0, 0, first / (1 << k)}, problem.until), exact);
  return std::log2(errors[0] / errors[1]);
}

}  // namespace

TEST_CASE("methods of constant step have the order they claim") {
  for (const Problem& problem : problems) {
    const Flow flow(load_model(problem.model));
    const std::vector<double> exact = end_of(flow, "taylor", {1e-16, 1e-18, 0}, problem.until);
    for (const StepperRow& row : all_steppers()) {
      if (row.adaptive) continue;
      const double order = measured_order(flow, row, problem, exact);
      CAPTURE(problem.model);
      CAPTURE(row.name);
      CAPTURE(order);
      CHECK(order > row.order - 0.35);
      CHECK(order < row.order + 1.2);  // more would mean that the claim, or the problem, is too easy
    }
  }
}

TEST_CASE("adaptive methods reach what is asked of them, and their dense output as well") {
  for (const Problem& problem : problems) {
    const Flow flow(load_model(problem.model));
    const std::vector<double> exact = end_of(flow, "taylor", {1e-16, 1e-18, 0}, problem.until);
    for (const StepperRow& row : all_steppers()) {
      if (!row.adaptive) continue;
      CAPTURE(problem.model);
      CAPTURE(row.name);
      for (const double rtol : {1e-6, 1e-9}) {
        CHECK(distance(end_of(flow, row.name, {rtol, rtol, 0}, problem.until), exact) < 300 * rtol);
        // The state in the middle of each step, against a run that ends there.
        const auto stepper = row.make(flow, {rtol, rtol, 0});
        stepper->start(0, initial_state(flow));
        stepper->step(problem.until);
        stepper->step(problem.until);
        const double middle = (stepper->previous_time() + stepper->time()) / 2;
        std::vector<double> there(flow.dimension());
        stepper->at(middle, there);
        const double allowed =
            row.name == "radau5" ? std::sqrt(rtol) : 300 * rtol;  // its polynomial has order 3
        CHECK(distance(there, end_of(flow, "taylor", {1e-16, 1e-18, 0}, middle)) < allowed);
      }
    }
  }
}

TEST_CASE("rotations stay on the group, and constraints hold, to rounding") {
  const Flow flow(load_model("chaplygin-sphere"));
  for (const StepperRow& row : all_steppers()) {
    CAPTURE(row.name);
    const std::vector<double> y =
        end_of(flow, row.name, {row.adaptive ? 1e-9 : 0, 1e-9, row.adaptive ? 0 : 0.02}, 3);
    for (const std::size_t q : flow.quaternions()) {
      const double square = y[q] * y[q] + y[q + 1] * y[q + 1] + y[q + 2] * y[q + 2] + y[q + 3] * y[q + 3];
      CHECK(std::abs(square - 1) < 1e-15);
    }
  }
}
