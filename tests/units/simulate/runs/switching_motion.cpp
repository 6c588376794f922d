// Forces that switch: dry friction with sticking, stops, tables; the order of a method is kept across events.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/model/system/inputs.hpp>
#include <rattleback/simulate/runs/slip_events.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>

using namespace rattleback;

namespace {

Trajectory run(const System& system, double until, const std::string& method = "taylor", double step = 0) {
  const Flow flow(system);
  RunOptions options;
  options.until = until;
  options.method = method;
  options.settings.step = step;
  options.reactions = false;
  return trajectory(flow, initial_state(flow), options);
}

System block(const std::string& force, const std::string& initial) {
  return read_model(
      "lagrangian = \"m/2*x'^2\"\n[parameters]\nm = 2\nmu = 0.5\ng = 10\n[space]\nx = \"R\"\n[forces]\nx = "
      "\"" +
          force + "\"\n[simulation]\ninitial = " + initial + "\n",
      "block.toml");
}

}  // namespace

TEST_CASE("a block on a rough plane stops, and stays") {
  const Trajectory stopped = run(block("-mu*m*g*sign(x')", "{ x = 0, \"x'\" = 3 }"), 2);
  CHECK_FALSE(stopped.failure.has_value());
  CHECK(stopped.final_row[0] == doctest::Approx(9.0 / (2 * 5)).epsilon(1e-14));
  CHECK(std::abs(stopped.final_row[1]) < 1e-14);
}

TEST_CASE("stick and slip: a pull that grows moves the block when it exceeds friction") {
  // 10 = mu m g is reached at t = 2; then 2 x'' = 5 t - 10.
  const Trajectory moved = run(block("5*t - mu*m*g*sign(x')", "{ x = 0, \"x'\" = 0 }"), 4);
  CHECK(moved.final_row[1] == doctest::Approx(5 * 4.0 / 4).epsilon(1e-12));
  CHECK(moved.final_row[0] == doctest::Approx(5 * 8.0 / 12).epsilon(1e-12));
}

TEST_CASE(
    "an oscillator with dry friction loses 4 mu/k of its amplitude in every period, and stops in the band") {
  // x'' = -x - f sign(x'), f = 0.3: turning points -1.4 and 0.8 from 2; then -0.2, where friction holds it.
  const System system = read_model(
      "lagrangian = \"x'^2/2 - x^2/2\"\n[space]\nx = \"R\"\n[forces]\nx = \"-3/10*sign(x')\"\n"
      "[simulation]\ninitial = { x = 2, \"x'\" = 0 }\n",
      "coulomb.toml");
  CHECK(run(system, std::numbers::pi).final_row[0] == doctest::Approx(-1.4).epsilon(1e-12));
  CHECK(run(system, 2 * std::numbers::pi).final_row[0] == doctest::Approx(0.8).epsilon(1e-12));
  const Trajectory rest = run(system, 20);
  CHECK(rest.final_row[0] == doctest::Approx(-0.2).epsilon(1e-11));
  CHECK(std::abs(rest.final_row[1]) < 1e-13);
}

TEST_CASE("a body at rest on a switch of its position stays there while both sides push back") {
  // x'' = 2 force/2: held until 0.3 t exceeds 1, then x'' = 0.3 t - 1.
  CHECK(run(block("-2*sign(x)", "{ x = 0, \"x'\" = 0 }"), 3).final_row[0] == 0);
  const double late = 5 - 10.0 / 3;
  CHECK(run(block("-2*sign(x) + 0.6*t", "{ x = 0, \"x'\" = 0 }"), 5).final_row[0] ==
        doctest::Approx(0.05 * late * late * late).epsilon(1e-11));
  // Both sides push away: one of them is taken, with its own sign.
  const Trajectory away = run(block("2*sign(x)", "{ x = 0, \"x'\" = 0 }"), 1);
  CHECK(std::abs(away.final_row[0]) == doctest::Approx(0.5).epsilon(1e-13));
  // Through the switch at speed: a parabola on each side.
  CHECK(run(block("-2*sign(x)", "{ x = 0, \"x'\" = 1 }"), 4).final_row[0] ==
        doctest::Approx(0).epsilon(1e-12));
}

TEST_CASE("signs within signs, and several that stick") {
  CHECK(run(block("2*sign(x + 1/2*sign(t - 1))", "{ x = 0, \"x'\" = 0 }"), 1).final_row[0] ==
        doctest::Approx(-0.5).epsilon(1e-12));
  const System two = read_model(
      "lagrangian = \"x'^2/2 + y'^2/2 - (x - y)^2/2\"\n[space]\nx = \"R\"\ny = \"R\"\n[forces]\n"
      "x = \"-2*sign(x')\"\ny = \"-1/2*sign(y')\"\n[simulation]\ninitial = { x = 0, y = 1, \"x'\" = 0, "
      "\"y'\" = 0 }\n",
      "two.toml");
  const Trajectory held = run(two, 30);  // x never moves; y swings towards it and stops within 1/2
  CHECK(std::abs(held.final_row[0]) < 1e-12);
  CHECK(std::abs(held.final_row[1]) < 0.5 + 1e-9);
  CHECK(std::abs(held.final_row[3]) < 1e-12);
}

TEST_CASE("min, max, piecewise and smoothstep") {
  const auto final_speed = [](const std::string& force, double until) {
    return run(block(force, "{ x = 0, \"x'\" = 1 }"), until).final_row[1];
  };
  CHECK(final_speed("2*max(t - 1, 0)", 3) == doctest::Approx(1 + 2).epsilon(1e-13));
  CHECK(final_speed("2*min(t, 1)", 3) == doctest::Approx(1 + 0.5 + 2).epsilon(1e-13));
  CHECK(final_speed("2*piecewise(t < 1, 3, t < 2, 5, -1)", 3) ==
        doctest::Approx(1 + 3 + 5 - 1).epsilon(1e-13));
  CHECK(final_speed("2*smoothstep(t)", 3) == doctest::Approx(1 + 0.5 + 2).epsilon(1e-13));
  CHECK(final_speed("2*smoothstep(1, 2, t)", 3) == doctest::Approx(1 + 0.5 + 1).epsilon(1e-13));
}

TEST_CASE("methods of constant step keep their order across switches") {
  // A ball between elastic walls at |x| = 1 that push back with k (|x| - 1): no step falls on a switch.
  const System system = block("-40*max(x - 1, 0) + 40*max(-1 - x, 0)", "{ x = 0, \"x'\" = 1.3 }");
  const double exact = run(system, 5).final_row[0];
  for (const auto& [method, order] : {std::pair("rk4", 4), std::pair("gauss4", 4), std::pair("gauss6", 6)}) {
    const double h = 0.05;
    const double coarse = std::abs(run(system, 5, method, h).final_row[0] - exact),
                 fine = std::abs(run(system, 5, method, h / 2).final_row[0] - exact);
    CAPTURE(method);
    CAPTURE(coarse);
    CAPTURE(fine);
    CHECK(std::log2(coarse / fine) > order - 0.7);
  }
}

TEST_CASE("inputs: laws, feedback, ranges and tables") {
  const std::string model =
      "lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n[forces]\nx = \"tau\"\n[inputs]\ntau = { about = "
      "\"push\", range = [-1, 1] }\n"
      "[simulation]\ninitial = { x = 0, \"x'\" = 0 }\n";
  const System open = read_model(model, "push.toml");
  CHECK_THROWS_AS(Flow{open}, Error);
  CHECK(run(with_inputs(open, {{"tau", "cos(t)"}}), 3).final_row[1] ==
        doctest::Approx(std::sin(3.0)).epsilon(1e-13));
  // The law 2 is kept within the range.
  CHECK(run(with_inputs(open, {{"tau", "2"}}), 3).final_row[1] == doctest::Approx(3).epsilon(1e-13));
  CHECK(run(with_inputs(open, {{"tau", "2*t"}}), 3).final_row[1] ==
        doctest::Approx(0.25 + 2.5).epsilon(1e-13));
  CHECK(run(with_inputs(open, {{"tau", "1/2 - x'"}}), 3).final_row[1] ==
        doctest::Approx((1 - std::exp(-3.0)) / 2).epsilon(1e-13));
  const std::string table = "switching_motion_table.csv";
  std::ofstream(table) << "# a table\nt, tau\n0, 0\n1, 0.5\n2, -0.5\n";
  // Areas 0.25, 0, then -0.5 for ever.
  CHECK(run(with_inputs(open, {{"tau", table}}), 3).final_row[1] ==
        doctest::Approx(0.25 - 0.5).epsilon(1e-13));
  std::remove(table.c_str());
}

TEST_CASE("an input with feedback is a function of what it depends on, for proofs too") {
  const auto input = [](const std::string& law) {
    return inputs_of(read_model("lagrangian = \"x'^2/2\"\n[parameters]\nk = 2\n[space]\nx = \"R\"\ny = "
                                "\"R\"\n[inputs]\ntau = { law = \"" +
                                    law + "\" }\n[forces]\nx = \"tau\"\n",
                                "feedback.toml"))
        .at(0);
  };
  CHECK(input("sin(k*t)").arguments.size() == 1);
  CHECK(input("-k*x - x'").arguments.size() == 3);
}

TEST_CASE("switching functions stand in forces and inputs only") {
  const auto slug = [](const std::string& text) {
    try {
      read_model(text, "model.toml");
    } catch (const Error& error) {
      return error.slug;
    }
    return std::string("nothing");
  };
  CHECK(slug("lagrangian = \"x'^2/2 - max(x, 0)\"\n[space]\nx = \"R\"\n") == "unknown-function");
  CHECK(slug("lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\ny = \"R\"\n[constraints]\nc = \"sign(x)*x' = "
             "y'\"\n") == "unknown-function");
  CHECK(slug("lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n[forces]\nx = \"piecewise(x, 1, 2)\"\n") ==
        "wrong-arguments");
  CHECK(slug("lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n[forces]\nx = \"x > 0\"\n") == "syntax");
  const std::string inputs = "[inputs]\ntau = {}\n";
  try {
    read_model("lagrangian = \"x'^2/2 + tau*x\"\n[space]\nx = \"R\"\n" + inputs, "model.toml");
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.summary == "the input `tau` stands outside of [forces]");
    CHECK(error.fix.find("[forces]") != std::string::npos);
  }
  CHECK(slug("lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\ny = \"R\"\n[constraints]\nc = \"x' = tau*y'\"\n" +
             inputs) == "wrong-type");
}

TEST_CASE(
    "a contact slips where its friction is exhausted, also when the push switches: a ball on a pushed "
    "board") {
  // T = F/8 for a ball half as heavy as its board, so mu m g = T at F = 8 mu m g = 16, with F = 4 t until t = 1 and then 12 t - 8.
  const System system = with_laws_of_inputs(read_model(R"toml(
gravity = 10
[bodies.board]
mass = 2
[bodies.ball]
mass = 1
shape = { ball = "1/10" }
[joints.rail]
kind = "prismatic"
child = "board"
axis = "e1"
[contacts.top]
body = "ball"
surface = { sphere = "1/10" }
on = { body = "board", normal = "e3" }
coordinates = ["u", "v", "h", "B"]
friction = "1/5"
[inputs]
F = { law = "4*t + 8*max(t - 1, 0)" }
[forces]
rail = "F"
[simulation]
initial = { rail = 0, "rail'" = 0, u = 0, v = 0, h = 0, B = "1", B_Omega = [0, 0, 0] }
)toml",
                                                       "board.toml"));
  const Flow flow(system);
  RunOptions options;
  options.until = 5;
  options.events = slip_events(flow, true);
  const Trajectory stopped = trajectory(flow, initial_state(flow), options);
  REQUIRE(stopped.crossings.size() == 1);
  CHECK(stopped.end == doctest::Approx(2).epsilon(1e-9));
}
