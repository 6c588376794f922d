#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/flight.hpp>

using namespace rattleback;

namespace {

/// A ball of radius 1/4, with the support and the coefficients that a test wants.
std::string ball_on(const std::string& contact) {
  return R"toml(gravity = "10"
[space]
x = "R"
y = "R"
z = "R"
B = { group = "SO(3)", body = "Omega", space = "omega" }
[bodies.ball]
mass = "2"
inertia = "2/5*2*(1/16)*diag(1, 1, 1)"
position = "[x, y, z]"
rotation = "B"
[contacts.ground]
body = "ball"
surface = { sphere = "1/4" }
)toml" + contact +
         "\n";
}

std::string text_of(const std::string& model) {
  std::ifstream file(find_model(model));
  return {std::istreambuf_iterator<char>(file), {}};
}

using Initial = std::vector<std::pair<std::string, std::string>>;

Trajectory flown(const std::string& model, const Initial& initial, bool in_flight, double until) {
  FlyingMotion motion(read_model(model, "ball.toml"), initial, {false, in_flight});
  RunOptions options;
  options.until = until;
  options.settings = {1e-15, 1e-17, 0};
  return motion.run(options);
}

double last(const Trajectory& run, const std::string& name) {
  for (std::size_t k = 0; k < run.names.size(); ++k)
    if (run.names[k] == name) return run.final_row[k];
  FAIL("no column ", name);
  return 0;
}

/// The energy at the end is the first one without what impacts and sliding took.
void check_balance(const Trajectory& run) {
  double energy = run.phases.front().energy_from;
  for (const ContactImpact& impact : run.impacts) {
    CHECK(impact.lost >= -1e-12);
    energy -= impact.lost;
  }
  for (const ContactPhase& phase : run.phases) {
    if (phase.sliding.empty())
      CHECK(phase.energy_to == doctest::Approx(phase.energy_from).epsilon(1e-11));
    else
      CHECK(phase.energy_to < phase.energy_from);
    energy -= phase.energy_from - phase.energy_to;
  }
  CHECK(energy == doctest::Approx(run.phases.back().energy_to).epsilon(1e-11));
}

const Initial dropped{{"x", "0"},  {"y", "0"},  {"z", "5/4"}, {"B", "1"},
                      {"x'", "0"}, {"y'", "0"}, {"z'", "0"},  {"Omega", "[0, 0, 0]"}};

}  // namespace

TEST_CASE(
    "a ball that rolls down a cylinder leaves it where cos(theta) is 10/17 of that at the start, and falls "
    "on a parabola") {
  const std::string model = ball_on(R"(on = { cylinder = "1", axis = "e2", side = "outside" })");
  const double R = 1.25, start = 0.1;
  const Trajectory run = flown(model,
                               {{"x", "5/4*sin(1/10)"},
                                {"y", "0"},
                                {"z", "5/4*cos(1/10)"},
                                {"B", "1"},
                                {"x'", "0"},
                                {"y'", "0"},
                                {"z'", "0"},
                                {"Omega", "[0, 0, 0]"}},
                               false, 1.5);
  REQUIRE(run.phases.size() == 2);
  CHECK(run.phases[1].open == std::vector<std::string>{"ground"});
  const double c = 10.0 / 17 * std::cos(start), s = std::sqrt(1 - c * c), v = std::sqrt(10 * R * c),
               t = run.end - run.phases[1].from;
  CHECK(last(run, "x") == doctest::Approx(R * s + v * c * t).epsilon(1e-10));
  CHECK(last(run, "z") == doctest::Approx(R * c - v * s * t - 5 * t * t).epsilon(1e-10));
  CHECK(last(run, "Omega2") == doctest::Approx(v / 0.25).epsilon(1e-10));
  CHECK(last(run, "gap ground") > 0);
  CHECK(last(run, "reaction ground.normal") == 0);
  check_balance(run);
}

TEST_CASE("a ball that is dropped bounces to e^2 of its height, and rests after a finite time") {
  const double e = 0.5, fall = std::sqrt(2 * 1.0 / 10);
  const Trajectory run = flown(ball_on("restitution = \"1/2\""), dropped, true, 3);
  REQUIRE(run.impacts.size() > 15);
  double t = fall, v = std::sqrt(2 * 10 * 1.0);
  for (std::size_t k = 0; k < 15; ++k) {
    CAPTURE(k);
    CHECK(run.impacts[k].time == doctest::Approx(t).epsilon(1e-10));  // rounding of the gap by the speed
    CHECK(run.impacts[k].approach == doctest::Approx(v).epsilon(1e-9));
    CHECK(run.impacts[k].rebound * run.impacts[k].rebound / 20 ==
          doctest::Approx(std::pow(e, 2.0 * static_cast<double>(k + 1))).epsilon(1e-9));
    v *= e;
    t += 2 * v / 10;
  }
  CHECK(run.impacts.size() == 20);  // 2^-19 is the first rebound above 10^-6, and the next impact captures
  CHECK(run.impacts.back().outcome == "rolls");
  CHECK(run.impacts.back().time == doctest::Approx(fall * (1 + e) / (1 - e)).epsilon(1e-5));
  CHECK(last(run, "z") == doctest::Approx(0.25).epsilon(1e-12));
  CHECK(last(run, "reaction ground.normal") == doctest::Approx(20));
  check_balance(run);
}

TEST_CASE("without loss a ball bounces for ever") {
  const Trajectory run = flown(ball_on("restitution = 1\nrolls = false"), dropped, true, 20);
  CHECK(run.impacts.size() == 22);  // at (2k + 1) sqrt(1/5)
  CHECK(run.phases.back().energy_to == doctest::Approx(run.phases.front().energy_from).epsilon(1e-12));
}

TEST_CASE("the angular momentum about the point of impact is kept") {
  Initial thrown = dropped;
  thrown[4].second = "3";
  thrown[5].second = "-1";
  thrown[7].second = "[2, -9, 4]";
  const double m = 2, r = 0.25, I = 0.4 * m * r * r;
  for (const char* contact :
       {"restitution = \"0.3\"", "restitution = \"0.3\"\nfriction = \"1/20\"", "friction = 3"}) {
    CAPTURE(contact);
    const Trajectory run = flown(ball_on(contact), thrown, true, 0.5);
    REQUIRE(run.impacts.size() == 1);
    // About a point of the ground: I omega + m r_G x v; the ball is a ball, so that Omega at B = 1 turns with it.
    const auto omega = [&](int k) {
      double w = 0;
      for (int j = 1; j <= 3; ++j)
        w += last(run, fmt::format("B{}{}", k, j)) * last(run, fmt::format("Omega{}", j));
      return w;
    };
    CHECK(I * omega(1) - m * r * last(run, "y'") == doctest::Approx(I * 2 + m * r * 1).epsilon(1e-9));
    CHECK(I * omega(2) + m * r * last(run, "x'") == doctest::Approx(-I * 9 + m * r * 3).epsilon(1e-9));
    CHECK(omega(3) == doctest::Approx(4).epsilon(1e-9));
    check_balance(run);
  }
}

TEST_CASE("a ball that slides rolls after 2 v/(7 mu g), with 5/7 of its velocity") {
  Initial pushed = dropped;
  pushed[2].second = "1/4";
  pushed[4].second = "7";
  const Trajectory run = flown(ball_on("friction = \"1/5\""), pushed, true, 2);
  REQUIRE(run.phases.size() == 2);
  CHECK(run.phases[0].sliding == std::vector<std::string>{"ground"});
  CHECK(run.phases[0].to == doctest::Approx(2 * 7 / (7 * 0.2 * 10)).epsilon(1e-7));
  CHECK(run.phases[1].closed == std::vector<std::string>{"ground"});
  CHECK(last(run, "x'") == doctest::Approx(5).epsilon(1e-8));
  CHECK(last(run, "x") == doctest::Approx(7 * 1 - 0.5 * 2 * 1 + 5 * 1).epsilon(1e-7));
  check_balance(run);
}

TEST_CASE("a stone whose coordinates keep its contact closed hops as one with a coordinate for its height") {
  std::string stone = text_of("rattleback");
  const std::string contact = "[contacts.ground]\n";
  stone.insert(stone.find(contact) + contact.size(), "friction = \"1/2\"\nrestitution = \"1/5\"\n");
  std::string free = stone;
  const auto replace = [&](const std::string& a, const std::string& b) {
    REQUIRE(free.find(a) != std::string::npos);
    free.replace(free.find(a), a.size(), b);
  };
  replace("y = \"R\"\n", "y = \"R\"\nz = \"R\"\n");
  replace("[x, y, height]", "[x, y, z]");
  const Initial spun{{"Omega", "[12, 0, 5]"}};
  const Trajectory closed = flown(stone, spun, false, 1), open = flown(free, spun, false, 1);
  REQUIRE(closed.impacts.size() > 0);
  CHECK(closed.impacts.size() == open.impacts.size());
  CHECK(closed.impacts[0].time == doctest::Approx(open.impacts[0].time).epsilon(1e-10));
  for (const char* name : {"x", "y", "B11", "B23", "Omega1", "Omega3"})
    CHECK(last(closed, name) == doctest::Approx(last(open, name)).epsilon(1e-7));
  check_balance(closed);
}

TEST_CASE("a contact that would have to slip before it lifts off needs a coefficient of friction") {
  const Trajectory run = flown(text_of("rattleback"), {{"Omega", "[12, 0, 5]"}}, false, 1);
  REQUIRE(run.failure);
  CHECK(run.failure->find("slips before it lifts off") != std::string::npos);
  CHECK(run.end == doctest::Approx(0.2084666057).epsilon(1e-8));
}

TEST_CASE("what cannot fly is refused") {
  const auto slug = [](const std::string& model, const Initial& initial = {}) -> std::string {
    try {
      flown(model, initial, false, 1);
    } catch (const Error& error) {
      return error.slug;
    }
    return "";
  };
  CHECK(slug(text_of("chaplygin-sleigh")) == "cannot-fly");
  CHECK(slug(ball_on("restitution = 2"),
             {{"x", "0"}, {"y", "0"}, {"z", "1/4"}, {"B", "1"}, {"Omega", "[0, 0, 0]"}}) == "cannot-fly");
}
