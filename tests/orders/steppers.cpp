/// Every stepper against its own claim: the slope of the error over the step, on nonlinear problems with friction, moving
/// constraints and rotations, where no symmetry cancels errors.
#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/measured_order.hpp>

using namespace rattleback;

namespace {

struct Problem {
  std::string model;
  double until, step;
};
/// A sleigh (limits, no measure), a disk (pendulum-like), a ball with a rotation, a tippe top with friction, which is not
/// reversible, an oscillator that is not integrable, and a particle with a multiplier.
const std::vector<Problem> problems{{"chaplygin-sleigh", 2, 0.1},    {"falling-disk", 0.5, 0.0125},
                                    {"chaplygin-sphere", 1, 0.05},   {"tippe-top", 0.1, 0.0025},
                                    {"contact-oscillator", 2, 0.05}, {"nonholonomic-particle", 2, 0.1}};

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

/// CVODE is an option.
bool is_installed(const Flow& flow, const StepperRow& row) {
  try {
    row.make(flow, {1e-6, 1e-6, 0});
  } catch (const Error& error) {
    REQUIRE(error.slug == "missing-extension");
    return false;
  }
  return true;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

}  // namespace

TEST_CASE("methods of constant step have the order they claim") {
  std::map<std::string, int> measured;
  for (const Problem& problem : problems) {
    const Flow flow(load_model(problem.model));
    for (const MeasuredOrder& m : measured_orders(flow, initial_state(flow), problem.until, problem.step)) {
      if (m.refused) continue;
      CAPTURE(problem.model);
      CAPTURE(m.method);
      CAPTURE(m.order);
      CHECK(m.order > m.claimed - 0.35);
      CHECK(m.order < m.claimed + 1.2);  // more would mean that the claim, or the problem, is too easy
      ++measured[m.method];
    }
  }
  for (const StepperRow& row : all_steppers()) {
    CAPTURE(row.name);
    if (!row.adaptive) CHECK(measured[row.name] >= (row.name == "hamiltonized" ? 1 : 4));
  }
}

TEST_CASE("methods keep what they say they keep, with long steps") {
  // The contact oscillator is neither integrable nor reversible-integrable for eps ≠ 0 [Modin and Verdier 2020].
  const Flow flow(load_model("contact-oscillator"));
  const std::vector<Invariant> energy = known_invariants(flow.system());
  const auto drift = [&](const std::string& method, double until) {
    RunOptions options;
    options.method = method;
    options.settings = {0, 0, 0.2};
    options.until = until;
    options.reactions = false;
    options.invariants = energy;
    const Trajectory run = trajectory(flow, initial_state(flow), options);
    REQUIRE_FALSE(run.failure);
    return run.drift.front().largest;
  };
  CHECK(drift("discrete-gradient", 100) < 1e-12);
  // Symmetric methods: the energy error stays small, without growing like that of Kutta's method.
  for (const char* method : {"dla-midpoint", "dla-reversible", "gni", "hamel"}) {
    CAPTURE(method);
    CHECK(drift(method, 100) > 1e-6);
    CHECK(drift(method, 100) < 0.2);
  }
}

TEST_CASE(
    "the first step of gni is as accurate as the others: half of the reaction is where its momenta begin") {
  // Without that half, or with all of it, the first step is wrong in h² instead of h³.
  for (const Problem& problem : problems) {
    if (problem.model == "tippe-top") continue;  // friction has an impulse of its own
    CAPTURE(problem.model);
    const Flow flow(load_model(problem.model));
    const auto error_with = [&](double h) {
      return distance(end_of(flow, "gni", {0, 0, h}, h), end_of(flow, "taylor", {1e-16, 1e-18, 0}, h));
    };
    CHECK(std::log2(error_with(problem.step) / error_with(problem.step / 2)) > 2.6);
  }
}

TEST_CASE("copies of a flow share the formulas of a method, not its parameters") {
  Flow flow(load_model("contact-oscillator"));
  Flow other = flow;
  std::vector<double> values = flow.parameter_values<double>();
  for (double& v : values) v *= 2;
  other.set_parameters(values);
  for (const std::string method : {"dla-midpoint", "gni", "hamel", "discrete-gradient"}) {
    CAPTURE(method);
    const std::vector<double> before = end_of(flow, method, {0, 0, 0.05}, 1),
                              moved = end_of(other, method, {0, 0, 0.05}, 1);
    CHECK(distance(before, moved) > 1e-6);
    CHECK(distance(moved, end_of(other, "taylor", {1e-15, 1e-17, 0}, 1)) < 0.05);
    CHECK(end_of(flow, method, {0, 0, 0.05}, 1) == before);
  }
}

TEST_CASE("symmetric methods take back what they did") {
  for (const std::string model : {"contact-oscillator", "chaplygin-sphere", "falling-disk"}) {
    const Flow flow(load_model(model));
    const std::vector<double> y = initial_state(flow);
    for (const std::string method :
         {"dla-midpoint", "dla-reversible", "hamel", "discrete-gradient", "gauss4", "dla"}) {
      CAPTURE(model);
      CAPTURE(method);
      // One step of length h, and one of length −h: a symmetric method is its own inverse, the plain one is not.
      const auto stepper = stepper_named(method).make(flow, {0, 0, 0.02});
      stepper->start(0, y);
      stepper->step(0.02);
      const std::vector<double> there(stepper->state().begin(), stepper->state().end());
      const auto back = stepper_named(method).make(flow, {0, 0, -0.02});
      back->start(0.02, there);
      back->step(0);
      const std::vector<double> again(back->state().begin(), back->state().end());
      if (method == "dla") {
        // The Lagrangian of the ball does not see where in the step it is taken: there it is symmetric, too.
        if (model != "chaplygin-sphere") CHECK(distance(again, y) > 1e-9);
      } else {
        CHECK(distance(again, y) < 1e-13);
      }
    }
  }
}

TEST_CASE("the Hamiltonized motion is symplectic in its own time") {
  const Flow flow(load_model("nonholonomic-particle"));
  RunOptions options;
  options.method = "hamiltonized";
  options.settings = {0, 0, 0.05};
  options.until = 20;
  options.invariants = known_invariants(flow.system());
  const Trajectory run = trajectory(flow, initial_state(flow), options);
  REQUIRE_FALSE(run.failure);
  CHECK(run.end == 20);
  CHECK(distance(run.final_state, end_of(flow, "taylor", {1e-16, 1e-18, 0}, 20)) < 1e-6);
  CHECK(run.drift.front().relative() < 1e-9);
}

TEST_CASE("adaptive methods reach what is asked of them, and their dense output as well") {
  for (const Problem& problem : problems) {
    const Flow flow(load_model(problem.model));
    const std::vector<double> exact = end_of(flow, "taylor", {1e-16, 1e-18, 0}, problem.until);
    for (const StepperRow& row : all_steppers()) {
      if (!row.adaptive || !is_installed(flow, row)) continue;
      CAPTURE(problem.model);
      CAPTURE(row.name);
      for (const double rtol : {1e-6, 1e-9}) {
        // Multistep methods control the error of a step less tightly.
        const double factor = row.name.starts_with("cvode") ? 3000 : 300;
        CHECK(distance(end_of(flow, row.name, {rtol, rtol, 0}, problem.until), exact) < factor * rtol);
        // The state in the middle of each step, against a run that ends there.
        const auto stepper = row.make(flow, {rtol, rtol, 0});
        stepper->start(0, initial_state(flow));
        stepper->step(problem.until);
        stepper->step(problem.until);
        const double middle = (stepper->previous_time() + stepper->time()) / 2;
        std::vector<double> there(flow.dimension());
        stepper->at(middle, there);
        const double allowed =
            row.name == "radau5" ? std::sqrt(rtol) : factor * rtol;  // its polynomial has order 3
        CHECK(distance(there, end_of(flow, "taylor", {1e-16, 1e-18, 0}, middle)) < allowed);
      }
    }
  }
}

TEST_CASE("rotations stay on the group, and constraints hold, to rounding") {
  const Flow flow(load_model("chaplygin-sphere"));
  for (const StepperRow& row : all_steppers()) {
    if (row.name == "hamiltonized" || !is_installed(flow, row)) continue;
    CAPTURE(row.name);
    const std::vector<double> y =
        end_of(flow, row.name, {row.adaptive ? 1e-9 : 0, 1e-9, row.adaptive ? 0 : 0.02}, 3);
    for (const std::size_t q : flow.quaternions()) {
      const double square = y[q] * y[q] + y[q + 1] * y[q + 1] + y[q + 2] * y[q + 2] + y[q + 3] * y[q + 3];
      CHECK(std::abs(square - 1) < 1e-15);
    }
  }
}
