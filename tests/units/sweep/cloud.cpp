#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/sweep/cloud.hpp>

using namespace rattleback;

namespace {

/// Starts beside the model's own: the last speed differs.
std::vector<double> starts_beside(const std::vector<double>& y, std::size_t count) {
  std::vector<double> states;
  for (std::size_t m = 0; m < count; ++m) {
    states.insert(states.end(), y.begin(), y.end());
    states.back() += 0.01 * static_cast<double>(m);
  }
  return states;
}

}  // namespace

TEST_CASE("motions of a cloud are the motions of their starts") {
  const StartedMotion started = started_motion(load_model("models/chaplygin-sleigh.toml"));
  const std::size_t n = started.flow.dimension(), members = 70;  // more than two batches of lanes
  const std::vector<double> states = starts_beside(started.state, members);
  Cloud cloud(started.flow, states, {.rtol = 1e-11, .atol = 1e-13});
  CHECK(cloud.in_lanes());
  RunOptions options;
  options.until = 3;
  options.samples = 4;
  for (int frame = 1; frame <= 3; ++frame) {
    cloud.advance(frame);
    CHECK(cloud.time() == frame);
    for (const std::size_t m : {std::size_t{0}, std::size_t{33}, members - 1}) {
      CHECK(cloud.alive()[m]);
      const std::span<const double> start(states.data() + m * n, n);
      const Trajectory alone = trajectory(started.flow, start, options);
      for (std::size_t i = 0; i < n; ++i)
        CHECK(cloud.state()[i][m] ==
              doctest::Approx(alone.rows[static_cast<std::size_t>(frame)][i]).epsilon(1e-8));
    }
  }
}

TEST_CASE("a cloud of motions that are taken back onto their constraints goes one by one") {
  // No frame of velocities is regular everywhere: all velocities are speeds (S.7).
  const System system = read_model(R"(
lagrangian = "(x'^2 + y'^2)/2 - y"
[space]
x = "R"
y = "R"
[constraints]
circle = "x^2 + y^2 = 1"
[simulation]
initial = { x = 0, y = -1, "x'" = "1/2", "y'" = 0 }
)",
                                   "pendulum.toml");
  const StartedMotion started = started_motion(system);
  if (started.flow.projection() == nullptr) return;
  Cloud cloud(started.flow, started.state, {.rtol = 1e-10, .atol = 1e-12});
  CHECK(!cloud.in_lanes());
  for (int frame = 1; frame <= 20; ++frame) cloud.advance(0.5 * frame);
  CHECK(cloud.alive()[0]);
  CHECK(std::hypot(cloud.state()[0][0], cloud.state()[1][0]) == doctest::Approx(1).epsilon(1e-8));
}

TEST_CASE("a motion that ends keeps the others going; functions are seen at every member") {
  const System system = read_model(R"(
lagrangian = "x'^2/2 + 1/x"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 0 }
)",
                                   "fall.toml");  // reaches x = 0 at t = pi/sqrt(8)
  const StartedMotion started = started_motion(system);
  std::vector<double> states = started.state;
  states.insert(states.end(), {1.0, 3.0});  // this one escapes
  Cloud cloud(started.flow, states, {.rtol = 1e-9, .atol = 1e-11});
  const Expr x = system.space.functions().front();
  const std::vector<Expr> functions{x * x};
  CloudView view(started.flow, functions);
  cloud.advance(0.5);
  const Columns squares = view(cloud);
  for (std::size_t m = 0; m < 2; ++m)
    CHECK(squares[0][m] == doctest::Approx(cloud.state()[0][m] * cloud.state()[0][m]));
  cloud.advance(2);
  CHECK(!cloud.alive()[0]);
  CHECK(cloud.alive()[1]);
  CHECK(cloud.state()[0][1] > 3);
}
