/// Motions: events, ends, initial states, plots.
#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/error.hpp>
#include <rattleback/model/load.hpp>
#include <rattleback/simulate/initial_state.hpp>
#include <rattleback/simulate/trajectory.hpp>
#include <rattleback/view/plot.hpp>
#include <rattleback/view/trajectory.hpp>

using namespace rattleback;

namespace {

System oscillator() {
  return read_model(R"(lagrangian = "1/2*x'^2 - 1/2*x^2"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 0 })",
                    "oscillator.toml");
}

Trajectory run(const System& system, RunOptions options) {
  const Flow flow(system);
  options.invariants = known_invariants(system);
  return trajectory(flow, initial_state(flow), options);
}

}  // namespace

TEST_CASE("events: simple roots, two roots in one step, double roots") {
  const System system = oscillator();
  const Expr t = system.time, x = parse("x", system.scope);
  RunOptions options;
  options.until = 10;
  options.method = "dop853";
  options.events = {{"x", x, false},
                    {"touch", pow(t - 3, 2), false},
                    {"pair", (t - 5) * (t - Rational(5001, 1000)), false}};
  const Trajectory found = run(system, options);
  std::vector<double> zeros, touches, pair;
  for (const Crossing& c : found.crossings) {
    (c.event == 0 ? zeros : c.event == 1 ? touches : pair).push_back(c.time);
    if (c.event == 1) CHECK(c.direction == 0);
  }
  REQUIRE(zeros.size() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(zeros[k] == doctest::Approx(M_PI * (static_cast<double>(k) + 0.5)).epsilon(1e-13));
  REQUIRE(touches.size() == 1);
  CHECK(touches[0] == doctest::Approx(3).epsilon(1e-6));
  REQUIRE(pair.size() == 2);
  CHECK(pair[0] == doctest::Approx(5).epsilon(1e-9));
  CHECK(pair[1] == doctest::Approx(5.001).epsilon(1e-9));
}

TEST_CASE("a stopping condition ends the motion there") {
  const System system = oscillator();
  RunOptions options;
  options.samples = 101;
  options.events = {{"x", parse("x", system.scope), true}};
  const Trajectory found = run(system, options);
  CHECK(found.end == doctest::Approx(M_PI / 2).epsilon(1e-14));
  CHECK(found.t.back() == found.end);
  CHECK(std::abs(found.final_row[0]) < 1e-14);
  CHECK(found.drift.front().largest < 1e-15);
}

TEST_CASE("a motion into a singularity keeps what was before it") {
  // x'' = -1/x² from rest at 1 arrives at 0 at t = π/(2√2).
  const System system = read_model(R"(lagrangian = "1/2*x'^2 + 1/x"
[space]
x = "R"
[simulation]
initial = { x = 1, "x'" = 0 })",
                                   "fall.toml");
  for (const char* method : {"taylor", "dop853"}) {
    RunOptions options;
    options.until = 2;
    options.method = method;
    options.samples = 21;
    const Trajectory found = run(system, options);
    REQUIRE(found.failure);
    CHECK(found.end == doctest::Approx(M_PI / (2 * std::sqrt(2.0))).epsilon(1e-3));
    CHECK(found.t.size() > 10);
    CHECK(as_csv({"fall", method}, found).find("# ended early") != std::string::npos);
  }
}

TEST_CASE("a frame that degenerates is left for all velocities: Neumann's sphere, around all of it") {
  const System system = load_model("neumann");
  const Flow flow(system);
  CHECK(flow.projection() != nullptr);
  RunOptions options;
  options.until = 20;
  const Trajectory found = run(system, options);
  REQUIRE_FALSE(found.failure);
  for (const Drift& d : found.drift) CHECK(d.relative() < 1e-13);
}

TEST_CASE("ticks are round and within the range") {
  CHECK(ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  CHECK(ticks(-3, 17, 5) == std::vector<double>{0, 5, 10, 15});
}

TEST_CASE("a plot has a panel for each view, and a curve for each quantity") {
  const System system = load_model("chaplygin-sleigh");
  const Flow flow(system);
  RunOptions options;
  options.until = 2;
  options.samples = 50;
  options.invariants = known_invariants(system);
  const std::vector<Panel> panels = panels_of(flow, trajectory(flow, initial_state(flow), options));
  REQUIRE(panels.size() >= 4);
  CHECK(panels[0].equal_aspect);
  CHECK(panels[1].curves.size() == 3);
  const std::string svg = as_svg("a <b", panels);
  CHECK(svg.find("a &lt;b") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
}
