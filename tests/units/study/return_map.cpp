/// Return maps: cycles of Hénon and Heiles' system as SciPy finds them, slopes against differences, manifolds, rotation numbers.
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/study/cycles.hpp>

using namespace rattleback;

namespace {

ReturnMap map_of(const System& system, const std::string& section, std::vector<Level> levels = {}) {
  const Flow flow(system);
  SectionQuestion question;
  question.section = event_equation(system, section, "test");
  question.levels = std::move(levels);
  question.longest = 100;
  return {system, initial_state(flow, {.project = true}), known_invariants(system), question};
}

System henon_heiles() {
  return read_model(R"toml(lagrangian = "1/2*(x'^2 + y'^2) - 1/2*(x^2 + y^2) - x^2*y + y^3/3"
[space]
x = "R"
y = "R"
[simulation]
initial = { x = 0, y = 0.25, "x'" = 0.3, "y'" = 0 })toml",
                    "henon-heiles.toml");
}
Level energy_level(const System& system, double value) {
  for (const Invariant& i : known_invariants(system))
    if (i.name == "energy") return {i.name, i.value, value};
  throw Error("usage", "no energy", "", "");
}

/// Two oscillators side by side: the second turns by its own frequency between returns of the first.
System beside(const std::string& potential) {
  return read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2) - 1/2*x^2 - (" + potential +
          ")\"\n[space]\nx = \"R\"\ny = \"R\"\n[simulation]\ninitial = { x = 0, y = 0, \"x'\" = "
          "1, \"y'\" = 0.01 }\n",
      "beside.toml");
}

}  // namespace

TEST_CASE("fixed points of Henon and Heiles' map at E = 1/12 are those of SciPy") {
  const System system = henon_heiles();
  ReturnMap map = map_of(system, "x = 0", {energy_level(system, 1.0 / 12)});
  CHECK(starts_on_level(map, 12, {{"y", {-0.3, 0.4}}, {"y'", {-0.3, 0.3}}}).size() == 12);
  std::vector<Eigen::VectorXd> starts;
  for (const auto& [y, v] : {std::pair(0.25, 0.0), std::pair(0.0, 0.2)})
    starts.push_back(*map.projected(Eigen::Vector4d(0, y, 0.3, v)));
  const std::vector<Cycle> found = cycles(map, 1, starts);
  bool on_axis = false, above = false;
  for (const Cycle& c : found) {
    CHECK(c.residual < 1e-9);
    REQUIRE(c.multipliers.size() == 2);
    CHECK(std::abs(c.multipliers[0] * c.multipliers[1] - 1.0) < 1e-7);  // areas are kept
    const double y = c.points[0][1], v = c.points[0][3];
    if (std::abs(y - 0.254806163) < 1e-7) {
      on_axis = true;
      CHECK(c.time == doctest::Approx(6.135235496130165).epsilon(1e-9));
      CHECK(c.multipliers[0].real() == doctest::Approx(0.32339832).epsilon(1e-6));
      CHECK(cycle_kind(c) == "elliptic");
    }
    if (std::abs(v - 0.204124145) < 1e-7) {
      above = true;
      CHECK(c.time == doctest::Approx(6.90164361534).epsilon(1e-9));
      CHECK(c.multipliers[0].real() == doctest::Approx(0.66104338).epsilon(1e-6));
    }
  }
  CHECK(on_axis);
  CHECK(above);
}

TEST_CASE("the derivative of the map is that of differences along the level") {
  const System system = henon_heiles();
  ReturnMap map = map_of(system, "x = 0", {energy_level(system, 1.0 / 12)});
  const auto y = map.projected(map.start());
  REQUIRE(y);
  const auto there = map.after(*y, 1, true);
  REQUIRE(there);
  const Eigen::MatrixXd along = map.tangent(*y);
  REQUIRE(along.cols() == 2);
  for (Eigen::Index c = 0; c < 2; ++c) {
    const double h = 1e-5;
    const auto plus = map.after(*y + h * along.col(c), 1), minus = map.after(*y - h * along.col(c), 1);
    REQUIRE(plus);
    REQUIRE(minus);
    const Eigen::VectorXd difference = (plus->state - minus->state) / (2 * h);
    CHECK((difference - there->slope * along.col(c)).norm() < 1e-7);
    CHECK((difference - 1.01 * there->slope * along.col(c)).norm() > 1e-4);  // the mutant
  }
}

TEST_CASE("an unstable manifold comes from its saddle") {
  const System system = henon_heiles();
  ReturnMap map = map_of(system, "x = 0", {energy_level(system, 0.125)});
  const std::vector<Cycle> found =
      cycles(map, 1, starts_on_level(map, 16, {{"y", {-0.4, 0.5}}, {"y'", {-0.4, 0.4}}}));
  const auto saddle =
      std::find_if(found.begin(), found.end(), [](const Cycle& c) { return cycle_kind(c) == "saddle"; });
  REQUIRE(saddle != found.end());
  CurveOptions options;
  options.plane = [](std::span<const double> s) { return Eigen::Vector2d(s[1], s[3]); };
  options.length = 0.2;
  const std::vector<InvariantCurve> curves = invariant_curves(map, *saddle, false, options);
  REQUIRE(curves.size() == 2);
  for (const InvariantCurve& curve : curves) {
    REQUIRE(curve.states.size() > 10);
    CHECK(curve.length > 0.15);
    const Eigen::VectorXd end = map.motion().kept_of(curve.states.back());
    const double growth = std::log(std::abs(saddle->multipliers[0]));
    const int back = static_cast<int>(std::ceil(6 / growth));
    const auto before = map.before(end, back);
    REQUIRE(before);
    CHECK((before->state - saddle->points[0]).norm() < 0.02);
  }
  CHECK(invariant_curves(map, *saddle, true, options).size() == 2);
}

TEST_CASE("rotation numbers: harmonic oscillators have no twist, a pendulum's decreases as 1/(4 K)") {
  const auto profile_of = [](const std::string& potential) {
    ReturnMap map = map_of(beside(potential), "x = 0");
    const auto cycle = cycle_near(map, 1, *map.projected(map.start()));
    REQUIRE(cycle);
    const auto profile = rotation_profile(map, *cycle, 3, 0.6, 300);
    REQUIRE(profile);
    return *profile;
  };
  const RotationProfile harmonic = profile_of("1/2*2*y^2");
  CHECK(harmonic.at_centre == doctest::Approx(std::sqrt(2) - 1).epsilon(1e-7));
  for (const RotationNumber& r : harmonic.orbits)
    CHECK(r.rotation == doctest::Approx(std::sqrt(2) - 1).epsilon(1e-7));
  CHECK(std::abs(harmonic.twist) < 1e-6);
  // y'' = −2 sin y: the frequency is √2 (1 − a²/16 + …) for the amplitude a.
  const RotationProfile pendulum = profile_of("2*(1 - cos(y))");
  CHECK(pendulum.twist < -0.01);
  CHECK(pendulum.orbits.back().rotation < pendulum.orbits.front().rotation);
}

TEST_CASE("sections in coordinates that nothing depends on, and levels without points, are refused") {
  const System free_particle = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2) - 1/2*x^2\"\n[space]\nx = \"R\"\ny = \"R\"\n[simulation]\ninitial = "
      "{ x = "
      "1, y = 0, \"x'\" = 0, \"y'\" = 1 }\n",
      "free.toml");
  CHECK_THROWS_AS(map_of(free_particle, "y = 1"), Error);
  const System system = henon_heiles();
  ReturnMap map = map_of(system, "x = 0", {energy_level(system, -5)});
  CHECK_THROWS_AS(starts_on_level(map, 3, {{"y", {-0.1, 0.1}}, {"y'", {-0.1, 0.1}}}), Error);
}
