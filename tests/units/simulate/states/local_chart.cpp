// Methods that step in independent speeds go on where the speeds of the model have a pole.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/local_chart.hpp>

using namespace rattleback;

namespace {

/// A skate with a spring along x; its speed x' has a pole where it points along y.
System skate(const std::string& velocities, const std::string& initial) {
  return read_model(
      "lagrangian = \"(x'^2 + y'^2)/2 + th'^2/4 - 3/20*x^2\"\n[space]\nx = \"R\"\ny = \"R\"\nth = \"S1\"\n"
      "[constraints]\nblade = \"sin(th)*x' - cos(th)*y' = 0\"\n" +
          velocities + "[simulation]\ninitial = " + initial + "\n",
      "skate.toml");
}
const std::string with_a_pole = "[velocities]\nu = \"x'\"\nw = \"th'\"\n";

Trajectory run(const System& system, const std::string& method, double step = 0) {
  const StartedMotion start =
      started_motion(system, {}, Flow::Effort::quick, needs_independent_speeds(method));
  RunOptions options;
  options.until = 5;
  options.method = method;
  options.settings.step = step;
  options.invariants = {{"energy", energy(system)}};
  Trajectory found = trajectory(start.flow, start.state, options);
  found.notes.insert(found.notes.begin(), start.notes.begin(), start.notes.end());
  return found;
}

double distance(const Trajectory& a, const Trajectory& b) {
  double found = 0;
  for (std::size_t k = 0; k < a.states; ++k)
    found = std::max(found, std::abs(a.final_row[k] - b.final_row[k]));
  return found;
}

}  // namespace

TEST_CASE("hamel and discrete-gradient pass poles of the model's speeds with their order") {
  const System system = skate(with_a_pole, "{ x = 0, y = 0, th = 0, u = 1, w = 1 }");
  const Trajectory exact = run(system, "taylor");
  for (const char* const method : {"hamel", "discrete-gradient"}) {
    INFO(method);
    const Trajectory coarse = run(system, method, 0.01), fine = run(system, method, 0.005);
    REQUIRE_FALSE(fine.failure.has_value());
    CHECK(fine.notes.size() == 3);  // x', y', x', y' in turn
    CHECK(fine.names == exact.names);
    CHECK(fine.step == 0.005);
    CHECK(distance(fine, exact) < 1e-4);
    CHECK(distance(coarse, exact) / distance(fine, exact) == doctest::Approx(4).epsilon(0.05));
  }
  CHECK(run(system, "discrete-gradient", 0.01).drift.front().largest < 1e-12);
}

TEST_CASE("hamel and discrete-gradient start from a pole of the model's speeds") {
  const System system = skate(with_a_pole, "{ x = 0, y = 0, th = \"pi/2\", u = 0, w = 0.5, \"y'\" = 1 }");
  const Trajectory exact = run(system, "taylor");
  for (const char* const method : {"hamel", "discrete-gradient"}) {
    INFO(method);
    const Trajectory found = run(system, method, 0.005);
    REQUIRE_FALSE(found.failure.has_value());
    CHECK(found.names == exact.names);
    CHECK(distance(found, exact) < 1e-4);
  }
}

TEST_CASE("a local chart has the same velocity in other speeds") {
  const Flow flow(skate(with_a_pole, "{ x = 0, y = 0, th = 1.5, u = 1, w = 2 }"));
  const std::vector<double> y = initial_state(flow);
  const auto chart = in_local_chart(flow, 0, y);
  REQUIRE(chart.has_value());
  CHECK(speeds_told(chart->flow) == "y', th'");
  CHECK(chart->state[3] == doctest::Approx(std::tan(1.5)).epsilon(1e-14));
  CHECK(chart->state[4] == 2);
  CHECK_FALSE(in_local_chart(chart->flow, 0, chart->state).has_value());  // it has the best speeds already
  const std::vector<double> back = state_in(flow, chart->flow, 0, chart->state);
  CHECK(back[3] == doctest::Approx(1).epsilon(1e-14));
}

TEST_CASE("a limit within which no other speeds can be derived ends the motion near the pole, and says so") {
  const System system = skate(with_a_pole, "{ x = 0, y = 0, th = 0, u = 1, w = 1 }");
  const Flow flow(system);
  const std::vector<double> y = initial_state(flow);
  RunOptions options;
  options.method = "dop853";
  options.reactions = false;
  options.until = 0.1;
  REQUIRE_FALSE(trajectory(flow, y, options).failure.has_value());  // what is compiled once is there
  options.until = 5;
  const Budget few({.steps = 100});
  const Trajectory run = trajectory(flow, y, options);
  REQUIRE(run.failure.has_value());
  CHECK(run.failure->starts_with("the speeds come near a pole, and no others could be derived: the limit"));
  CHECK(run.end > 1);
  CHECK(run.end < 1.6);  // where the skate has turned by pi/2, and not where it began
  CHECK(run.final_state[2] == doctest::Approx(run.end).epsilon(1e-9));
}
