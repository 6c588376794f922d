/// Motions: events, ends, initial states, plots.
#include <doctest/doctest.h>

#include <cmath>

#include <fmt/format.h>
#include <zlib.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/view/pictures/plot.hpp>
#include <rattleback/view/results/trajectory.hpp>

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

TEST_CASE("functions of which nothing is known run by their formulas, with every method") {
  const auto with = [](const char* potential, const char* functions) {
    return read_model(fmt::format(R"(lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - {}"
[space]
x = "R"
y = "R"
z = "R"
[parameters]
k = 2
{}
[constraints]
contact = "z' = y*x'"
[simulation]
initial = {{ x = 1, y = 0.5, z = 0, "x'" = 0.25, "y'" = 0.5 }})",
                                  potential, functions),
                      "contact.toml");
  };
  const System known = with("(k*x^2/2 + y^4)", ""),
               open = with("V(x, y)", "[functions]\nV = { of = [\"a\", \"b\"], value = \"k*a^2/2 + b^4\" }");
  for (const char* method :
       {"taylor", "dop853", "radau5", "dla-midpoint", "gni", "hamel", "discrete-gradient", "gauss4"}) {
    CAPTURE(method);
    RunOptions options;
    options.until = 2;
    options.method = method;
    options.settings.step = 0.05;
    options.events = {{"V", parse("V(x, 0) - 1/2", open.scope), false}};
    const Trajectory b = run(open, options);
    options.events.clear();
    const Trajectory a = run(known, options);
    REQUIRE(a.final_row.size() == b.final_row.size());
    for (std::size_t i = 0; i < a.states; ++i)
      CHECK(a.final_row[i] == doctest::Approx(b.final_row[i]).epsilon(1e-11));
    CHECK(!b.crossings.empty());
  }
}

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

TEST_CASE("a double root is found once, wherever it falls in a step and from whichever side") {
  const System system = oscillator();
  const Expr t = system.time;
  for (const char* method : {"taylor", "dop853"}) {
    RunOptions options;
    options.until = 2;
    options.method = method;
    for (long k = 1; k < 150; ++k)
      options.events.push_back({"touch", (k % 2 == 0 ? 1 : -1) * pow(t - Rational(k, 80), 2), false});
    const Trajectory found = run(system, options);
    std::vector<int> times(150);
    for (const Crossing& c : found.crossings) {
      ++times[c.event + 1];
      CHECK(c.direction == 0);
      CHECK(c.time == doctest::Approx(static_cast<double>(c.event + 1) / 80).epsilon(1e-5));
    }
    CHECK(std::count(times.begin() + 1, times.end(), 1) == 149);
  }
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

TEST_CASE("Taylor series stop at kinks: quadratic drag, pieced together at its turning points in 30 digits") {
  const System system = read_model(
      "lagrangian = \"1/2*x'^2 - x^2\"\n[space]\nx = \"R\"\n[forces]\nx = \"-x'*abs(x')\"\n"
      "[simulation]\ninitial = { x = 1, \"x'\" = 0 }\n",
      "drag.toml");
  RunOptions options;
  options.method = "taylor";
  options.settings.rtol = 1e-15;
  options.until = 10;
  const Trajectory found = run(system, options);
  CHECK(std::abs(found.final_row[0] - 0.054231399300139560) < 2e-13);
  CHECK(std::abs(found.final_row[1] + 0.192945110100062920) < 2e-13);
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

TEST_CASE("without velocities a motion starts at rest, projected or not") {
  // A pendulum in Cartesian coordinates, where all velocities are speeds.
  const Flow flow(
      read_model("lagrangian = \"(x'^2 + y'^2)/2 - y\"\n[space]\nx = \"R\"\ny = \"R\"\n"
                 "[constraints]\nrod = \"x^2 + y^2 = 1\"\n[simulation]\ninitial = { x = 1, y = 0 }\n",
                 "rod.toml"));
  REQUIRE(flow.projection() != nullptr);
  const std::vector<double> at_rest{1, 0, 0, 0};
  CHECK(initial_state(flow) == at_rest);
  CHECK(initial_state(flow, {.project = true}) == at_rest);
}

TEST_CASE(
    "a nonlinear constraint is followed where no branch of it reaches: a particle of constant speed on a "
    "circle") {
  const System circle = read_model(R"m(lagrangian = "1/2*(x'^2 + y'^2) + (x*y' - y*x')/2"
[space]
x = "R"
y = "R"
[constraints]
speed = "x'^2 + y'^2 = 4"
[simulation]
initial = { x = 0, y = 0, "x'" = 2, "y'" = 0 })m",
                                   "circle.toml");
  RunOptions options;
  options.until = 7;  // x' = 2 cos t, y' = −2 sin t: each changes its sign more than once
  const Trajectory found = run(circle, options);
  REQUIRE_FALSE(found.failure);
  CHECK(found.final_state[0] == doctest::Approx(2 * std::sin(7.0)).epsilon(1e-12));
  CHECK(found.final_state[1] == doctest::Approx(2 * std::cos(7.0) - 2).epsilon(1e-12));
}

TEST_CASE("a constraint that cannot be solved for a velocity is simulated all the same") {
  const System odd = read_model(R"m(lagrangian = "1/2*(x'^2 + y'^2)"
[space]
x = "R"
y = "R"
[constraints]
odd = "x'^3 + x'*y'^4 + y'^3 = 3"
[simulation]
initial = { x = 0, y = 0, "x'" = 1, "y'" = 1 })m",
                                "odd.toml");
  RunOptions options;
  options.until = 3;
  const Trajectory found = run(odd, options);  // nothing acts: a straight line
  REQUIRE_FALSE(found.failure);
  CHECK(found.final_state[0] == doctest::Approx(3).epsilon(1e-12));
  CHECK(found.final_state[1] == doctest::Approx(3).epsilon(1e-12));
}

TEST_CASE("integrals that analyze proves are found, and only those that are new") {
  // An accelerating table: the energy is not kept, two momenta are.
  const System table = read_model(R"toml(lagrangian = "1/2*m*(x'^2 + y'^2) + 1/2*J*(a'^2 + b'^2 + c'^2)"
[space]
x = "R"
y = "R"
a = "R"
b = "R"
c = "R"
[parameters]
m = 1
J = "2/5"
r = 1
[constraints]
roll_x = "x' - t - r*b' = 0"
roll_y = "y' + r*a' = 0"
[simulation]
initial = { x = 0, y = 0, a = 0, b = 0, c = 0, "x'" = 1, "y'" = 0.5, "c'" = 0.2 })toml",
                                  "table.toml");
  CHECK(known_invariants(table).empty());
  // At r = 1 there are other frames; a speed with the name of a velocity is that velocity in all of them.
  for (const System& system : {table, with_values(table, {{"r", "1"}})}) {
    const SolvedVelocities v = solved_velocities(system);
    const SymbolMap psi = v.substitution(system.space);
    for (const Symbol z : v.speeds)
      if (psi.contains(z)) CHECK(proved(is_zero(psi.at(z) - z)));
  }
  const Flow flow(table);
  const FoundInvariants found = found_invariants(flow, {}, 20);
  CHECK(found.complete);
  REQUIRE(found.invariants.size() >= 3);
  RunOptions options;
  options.until = 5;
  options.invariants = found.invariants;
  for (const Drift& d : trajectory(flow, initial_state(flow), options).drift) {
    CAPTURE(d.name);
    CHECK(d.relative() < 1e-12);
  }
  // A function of what is known already is not new.
  const Flow again(table);
  CHECK(found_invariants(again, found.invariants, 20).invariants.empty());
}

TEST_CASE(
    "a section keeps the states at which the motion goes through it, and ends with the last that is asked "
    "for") {
  const System system = oscillator();
  RunOptions options;
  options.until = 100;
  options.events = {{"x", parse("x", system.scope), false, 1, true}};
  options.section_points = 5;
  const Trajectory found = run(system, options);
  REQUIRE(found.section_t.size() == 5);
  CHECK(found.crossings.empty());
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(found.section_t[k] == doctest::Approx(M_PI * (1.5 + 2 * static_cast<double>(k))).epsilon(1e-13));
    CHECK(std::abs(found.section_rows[k][0]) < 1e-13);
    CHECK(found.section_rows[k][1] == doctest::Approx(1));
  }
  CHECK(found.end == found.section_t.back());
}

TEST_CASE("an initial angular velocity may be given in space axes, in the model and on the command line") {
  const auto with = [](const std::string& omega) {
    const Flow flow(with_initial_values(load_model("chaplygin-sphere"), {{"omega", omega}}));
    return initial_state(flow);
  };
  // B = Rx(6/5) Rz(1/2), so the third component of Omega = transpose(B) omega is that of Rx(-6/5) omega.
  CHECK(with("[1/10, 1/5, 3/10]").back() ==
        doctest::Approx(0.3 * std::cos(1.2) - 0.2 * std::sin(1.2)).epsilon(1e-14));
  CHECK_THROWS_WITH_AS(with("1"), doctest::Contains("needs three components"), Error);

  const Flow written(read_model(R"m(lagrangian = "1/2*dot(Omega, diag(1, 2, 3)*Omega)"
[space]
B = { group = "SO(3)" }
[simulation]
initial = { B = "Rz(1/2)", omega = [1, 2, 3] })m",
                                "top.toml"));
  const std::vector<double> top = initial_state(written);
  CHECK(top.back() == doctest::Approx(3).epsilon(1e-15));  // about the common axis
  CHECK(top[top.size() - 3] == doctest::Approx(std::cos(0.5) + 2 * std::sin(0.5)).epsilon(1e-15));
}

TEST_CASE("a contact that would have to pull is reported with its time, and may end the motion") {
  // One contact is closed by a constraint, the other by the coordinates.
  struct Fast {
    const char *model, *omega;
  };
  for (const Fast& fast : {Fast{"rolling-ellipsoid", "[5, 8, 3]"}, Fast{"rattleback", "[12, 0, 5]"}}) {
    CAPTURE(std::string(fast.model));
    const System system = with_initial_values(load_model(fast.model), {{"Omega", fast.omega}});
    const Flow flow(system);
    RunOptions options;
    options.until = 3;
    const Trajectory whole = trajectory(flow, initial_state(flow), options);
    REQUIRE(whole.lift_off);
    CHECK(whole.end == 3);
    options.stop_at_lift_off = true;
    const Trajectory stopped = trajectory(flow, initial_state(flow), options);
    CHECK(stopped.end == *whole.lift_off);
    CHECK(stopped.lift_off_contact == "ground.normal");
    for (std::size_t k = 0; k < stopped.names.size(); ++k)
      if (stopped.names[k] == "reaction ground.normal") CHECK(std::abs(stopped.final_row[k]) < 1e-10);
  }
}

TEST_CASE("more digits: the oscillator returns to where it was, and the drift is that of the digits") {
  const System system = read_model(R"(lagrangian = "1/2*x'^2 - 1/2*x^2"
[space]
x = "R"
[simulation]
initial = { x = "1/3", "x'" = 0 })",
                                   "oscillator.toml");
  const Flow flow(system);
  RunOptions options;
  options.until = 1;
  options.invariants = known_invariants(system);
  const PreciseMotion found = precise_motion(flow, initial_state(flow), options, precision("200"));
  // cos(1)/3
  CHECK(found.final_row[0].substr(0, 52) == "0.18010076862271323913364553581432553457743680687264");
  CHECK(found.drift[0].largest < 1e-55);
  CHECK(found.exact_start);
  const PreciseMotion longer = precise_motion(flow, initial_state(flow), options, precision("long-double"));
  CHECK(longer.final_row[0].substr(0, 19) == "0.18010076862271323");
  CHECK(longer.drift[0].largest < 1e-18);
  // Gauss's methods keep quadratic invariants in any precision, Kutta's does not; halving the step shows the order.
  for (const auto& [method, order] : {std::pair{"rk4", 4}, std::pair{"gauss4", 4}, std::pair{"gauss6", 6}}) {
    CAPTURE(method);
    options.method = method;
    const auto error_with = [&](double step) {
      options.settings.step = step;
      const PreciseMotion run = precise_motion(flow, initial_state(flow), options, precision("200"));
      CHECK(run.order == static_cast<std::size_t>(order));
      CHECK((run.drift[0].largest < 1e-55) == (method[0] == 'g'));
      return std::abs(std::stod(run.final_row[0]) - std::cos(1.0) / 3);
    };
    CHECK(std::log2(error_with(0.25) / error_with(0.125)) == doctest::Approx(order).epsilon(0.1));
  }
  options.method = "dop853";
  CHECK_THROWS_AS(precise_motion(flow, initial_state(flow), options, precision("dd")), Error);
  CHECK_THROWS_AS(precision("quad"), Error);
  CHECK_THROWS_AS(precision("5"), Error);
}

TEST_CASE("a picture becomes the same pixels as its strokes say") {
  Picture picture(10, 4);
  picture.box({0, 0}, 5, 4, {255, 0, 0});
  picture.stroke({{7, 2}, {9, 2}}, {0, 0, 255}, 2);
  picture.words({0, 3}, "Aé–", {});
  const std::string png = picture.png(1);
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(png.substr(png.size() - 8, 4) == "IEND");
  const std::size_t data = png.find("IDAT") + 4;
  std::vector<unsigned char> rows(4 * (1 + 3 * 10));
  uLongf size = rows.size();
  REQUIRE(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(png.data()) + data,
                     png.size() - data) == Z_OK);
  CHECK(size == rows.size());
  for (std::size_t row = 0; row < 4; ++row) CHECK(rows[row * 31] == 0);  // no filter
  const std::vector<unsigned char> red{255, 0, 0}, blue{0, 0, 255};
  for (const auto& colour : {red, blue})
    CHECK(std::search(rows.begin(), rows.end(), colour.begin(), colour.end()) != rows.end());
  CHECK(picture.svg().find("<rect x=\"0.00\"") != std::string::npos);
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
  CHECK(panels[1].curves.size() == 1);  // theta; x and y are in the path
  const std::string svg = as_svg("a <b", panels);
  CHECK(svg.find("a &lt;b") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
}

TEST_CASE("the contact point of an implicit surface is found: the lower one") {
  const System ball = read_model(R"m(gravity = "9.8"
[space]
x = "R"
y = "R"
z = "R"
B = { group = "SO(3)" }
[bodies.ball]
mass = "1"
inertia = [0.3, 0.4, 0.5]
position = "[x, y, z]"
rotation = "B"
[contacts.c]
body = "ball"
surface = { implicit = "X^2 + 2*Y^2 + Z^2 + X^4 - 1" }
[simulation]
initial = { x = 0, y = 0, B = "1", Omega = [0.1, 0.2, 1] })m",
                                 "ball.toml");
  const Flow flow(ball);
  const std::vector<double> y = initial_state(flow);
  const auto value = [&](const std::string& name) {
    for (std::size_t k = 0; k < flow.state().size(); ++k)
      if (flow.state()[k].name() == name) return y[k];
    return 0.0;
  };
  CHECK(value("z") == doctest::Approx(1));
  CHECK(value("c_Z") == doctest::Approx(-1));
  CHECK(value("c_k") == doctest::Approx(2));

  // Two heights are possible here, and none is chosen.
  const System sphere = read_model(R"m(lagrangian = "1/2*(x'^2 + z'^2)"
[space]
x = "R"
z = "R"
[constraints]
circle = "x^2 + z^2 = 1"
[simulation]
initial = { x = 0.6, "x'" = 0 })m",
                                   "circle.toml");
  const Flow two(sphere);
  CHECK_THROWS_AS(initial_state(two), Error);
}

TEST_CASE("a search for integrals that was not asked for is cut short by its work") {
  const Flow links(read_model(R"toml(title = "Two links on blades, the joint driven"
lagrangian = "1/2*m*(x'^2 + y'^2 + vx^2 + vy^2) + 1/2*J*(a'^2 + b'^2)"
[space]
x = "R"
y = "R"
a = "S1"
b = "S1"
[parameters]
m = 1
J = "1/12"
l = 1
k = "1/2"
[define]
vx = "x' - l/2*a'*sin(a) - l/2*b'*sin(b)"
vy = "y' + l/2*a'*cos(a) + l/2*b'*cos(b)"
[constraints]
one = "x'*sin(a) = y'*cos(a)"
two = "vx*sin(b) = vy*cos(b)"
[forces]
a = "k*sin(2*t)"
b = "-k*sin(2*t)"
)toml",
                              "links.toml"));
  const std::size_t before = Budget::work();
  CHECK_FALSE(found_invariants(links, {}, std::nullopt).complete);
  CHECK(Budget::work() - before < 30'000'000);
}

TEST_CASE("integrals that are written in invented speeds do not stop a run") {
  const Flow flow(load_model("veselova"));
  CHECK_NOTHROW(found_invariants(flow, known_invariants(flow.system())));
}
