/// Motions that others have published or that were computed from others' equations: the rattleback of Kane and Levinson (1982),
/// integrated from the corrected equations, and the uncontrolled bicycle of the IFToMM benchmark (parameters of Meijaard et al.
/// 2007; equations by Kane's method, order 14 in 80 bits). Then what is said of motions in words.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>

using namespace rattleback;

namespace {

using Assignments = std::vector<std::pair<std::string, std::string>>;

Trajectory run(const std::string& model, const Assignments& initial, double until,
               const char* event = nullptr) {
  const System system = with_initial_values(load_model(model), initial);
  const Flow flow(system);
  RunOptions options;
  options.until = until;
  options.invariants = known_invariants(system);
  options.reactions = false;
  if (event != nullptr) options.events = {{event, parse(event, system.scope)}};
  Trajectory found = trajectory(flow, initial_state(flow), options);
  REQUIRE_FALSE(found.failure);
  return found;
}

double value(const Trajectory& run, const std::string& name) {
  for (std::size_t k = 0; k < run.names.size(); ++k)
    if (run.names[k] == name) return run.final_row[k];
  FAIL("no column ", name);
  return 0;
}

}  // namespace

TEST_CASE("rattleback of Kane and Levinson: states, and when it turns back") {
  // The paper has y and z the other way round: its ω2 and ω3 are ours with the other sign.
  struct State {
    double t, omega1, omega2, omega3;
  };
  for (const State& s : {State{2, 4.438574942720, 1.131237110307, -.884658189212},
                         State{5, -2.19784110891, -1.74517599710, 4.16424604618},
                         State{10, 2.61060957359, .866675182369, 4.54463920042},
                         State{20, 5.38177261298, -.615984986808, -1.94973742004}}) {
    const Trajectory found = run("rattleback-kane", {}, s.t);
    CAPTURE(s.t);
    CHECK(std::abs(value(found, "Omega1") - s.omega1) < 1e-10);
    CHECK(std::abs(value(found, "Omega2") + s.omega2) < 1e-10);
    CHECK(std::abs(value(found, "Omega3") + s.omega3) < 1e-10);
    CHECK(found.drift[0].initial == doctest::Approx(.123885313674).epsilon(1e-11));
    CHECK(found.drift[0].largest < 1e-14);
  }
  const Trajectory whole = run("rattleback-kane", {}, 20, "Omega3");
  double first = INFINITY, second = INFINITY;
  for (const Crossing& c : whole.crossings) {
    first = std::min(first, std::abs(c.time - 2.87));
    second = std::min(second, std::abs(c.time - 17.33));
  }
  CHECK(first < 0.005);
  CHECK(second < 0.005);
  // Between the reversals it spins steadily the other way.
  for (const Crossing& c : whole.crossings) CHECK((c.time < 3.2 || c.time > 17.3));
}

TEST_CASE("uncontrolled bicycle, manoeuvres M1, M2, M3 after 5 s, and M2 over 20 s") {
  struct Manoeuvre {
    const char *speed, *kick;
    double yaw, roll, steer, roll_rate, steer_rate, wheel, energy;
  };
  for (const Manoeuvre& m : {Manoeuvre{"4", "0.05", .156353099391, -.004714488990, .044960974045,
                                       -.305296638399, -.317813326441, -13.313092437944, 1575.1729024774},
                             Manoeuvre{"4.6", "0.5", .216075181614, .010342440645, .008185670970,
                                       .039926537939, .061407350782, -15.408451868030, 1837.0311763095},
                             Manoeuvre{"8", "0.05", .033203558019, .006220791455, .001002817879,
                                       .000891310398, .000143650491, -26.667291233319, 3918.0300453345}}) {
    const Trajectory found =
        run("bicycle",
            {{"lean_rate", m.kick}, {"steer_rate", "0"}, {"rear_rate", std::string(m.speed) + "/0.3"}}, 5);
    CAPTURE(m.speed);
    CHECK(std::abs(value(found, "yaw") + m.yaw) < 1e-11);  // there z points down
    CHECK(std::abs(value(found, "lean") - m.roll) < 1e-11);
    CHECK(std::abs(value(found, "steer") - m.steer) < 1e-11);
    CHECK(std::abs(value(found, "lean_rate") - m.roll_rate) < 1e-11);
    CHECK(std::abs(value(found, "steer_rate") - m.steer_rate) < 1e-11);
    CHECK(std::abs(value(found, "rear_rate") - value(found, "pitch'") + m.wheel) < 1e-10);
    CHECK(found.drift[0].initial == doctest::Approx(m.energy).epsilon(1e-12));
  }
  const Trajectory m2 = run("bicycle", {}, 20);
  CHECK(m2.drift[0].name == "energy");
  CHECK(m2.drift[0].relative() < 1e-12);
  CHECK(value(m2, "lean") == doctest::Approx(1.4085545e-5).epsilon(1e-7));
  CHECK(value(m2, "steer") == doctest::Approx(2.6869066e-5).epsilon(1e-7));
  CHECK(value(m2, "yaw") == doctest::Approx(-.238309696608).epsilon(1e-11));
}

TEST_CASE("BMZ-tippe: a tippe top that slides with friction turns over, one that rolls does not") {
  const Assignments spun{{"B", "Rx(1/5)"}, {"Omega", "[0, 15*sin(1/5), 15*cos(1/5)]"}};
  const Trajectory slides = run("tippe-top", {}, 30, "B33");
  CHECK(slides.crossings.size() == 1);
  CHECK(value(slides, "B33") < -0.999);
  const Trajectory rolls = run("tippe-top-rolling", spun, 30, "B33");
  CHECK(rolls.crossings.empty());
  CHECK(value(rolls, "B33") > 0.9);
  CHECK(rolls.drift[0].relative() < 1e-12);
}

TEST_CASE(
    "BMZ-vierkandt: lean, its rate and both spins of a rolling disk repeat; its own angle and place do not") {
  const Trajectory long_run = run("falling-disk", {}, 6, "theta'");
  std::vector<double> deepest;
  for (const Crossing& c : long_run.crossings)
    if (c.direction > 0) deepest.push_back(c.time);
  REQUIRE(deepest.size() >= 3);
  CHECK(deepest[2] - deepest[1] == doctest::Approx(deepest[1] - deepest[0]).epsilon(1e-11));
  const Trajectory once = run("falling-disk", {}, deepest[1]), twice = run("falling-disk", {}, deepest[2]);
  for (const char* repeats : {"theta", "lean", "turn", "roll"}) {
    CAPTURE(repeats);
    CHECK(std::abs(value(twice, repeats) - value(once, repeats)) < 1e-11);
  }
  const double turned = std::remainder(value(twice, "psi") - value(once, "psi"), 2 * std::acos(-1.0));
  CHECK(std::abs(turned) > 0.1);
  CHECK(std::hypot(value(twice, "x") - value(once, "x"), value(twice, "y") - value(once, "y")) > 0.1);
}
