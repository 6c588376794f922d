/// Branches of periodic motions: closed forms, and numbers of AUTO-07p that tests/oracles/auto_orbits.py computes.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/study/collocated_orbit.hpp>
#include <rattleback/study/hopf_starts.hpp>
#include <rattleback/study/periodic_branch.hpp>

using namespace rattleback;

namespace {

PeriodicBranches orbits(const System& system, const std::string& vary, double low, double high,
                        const std::string& forcing = "", double step = 0) {
  PeriodicQuestion question;
  question.vary = vary;
  question.branch.low = low;
  question.branch.high = high;
  question.branch.step = step;
  question.branch.most_points = 80;
  question.known = known_invariants(system);
  question.forcing_period = forcing;
  const Flow flow(system);
  OrbitStart start;
  start.state = initial_state(flow, {.project = true});
  return periodic_branches(system, start, question);
}

double period(const PeriodicBranches& found, const BranchPoint& p) {
  return p.u[static_cast<Eigen::Index>(found.states + found.fields.size())];
}

std::vector<std::pair<double, std::string>> orbit_events(const Branch& branch) {
  std::vector<std::pair<double, std::string>> found;
  for (std::size_t k = 1; k + 1 < branch.points.size(); ++k)
    if (branch.points[k].kind != BranchPoint::Kind::regular)
      found.emplace_back(branch.points[k].quantity,
                         orbit_description(branch.points[k - 1], branch.points[k], branch.points[k + 1]));
  return found;
}

System rayleigh(const std::string& mu, const std::string& x) {
  return read_model("lagrangian = \"1/2*x'^2 - 1/2*x^2\"\n[space]\nx = \"R\"\n[parameters]\nmu = " + mu +
                        "\n[forces]\nx = \"mu*x' - x'^3\"\n[simulation]\ninitial = { x = " + x +
                        ", \"x'\" = 0 }\n",
                    "rayleigh.toml");
}

}  // namespace

TEST_CASE("collocation at two Gauss points is of order four at the nodes") {
  const auto error = [](std::size_t intervals) {
    CollocatedOrbit orbit(
        [](const Eigen::VectorXd& y, double, const Eigen::VectorXd&) {
          RatesWithSlopes r;  // y' = y³
          r.value = y.array().cube();
          r.by_state = 3 * y.array().square().matrix();
          r.by_time = Eigen::VectorXd::Zero(1);
          r.by_numbers = Eigen::MatrixXd(1, 0);
          return r;
        },
        1, 0, intervals, 2);
    const auto end = orbit.end(Eigen::VectorXd::Constant(1, 0.5), 1, Eigen::VectorXd());
    REQUIRE(end);
    CHECK(end->by_start(0, 0) == doctest::Approx(std::sqrt(8)).epsilon(1e-3));  // 1/y(1)² = 1/y² − 2
    return std::abs(end->state[0] - std::sqrt(0.5));
  };
  const double order = std::log2(error(8) / error(16));
  CHECK(order == doctest::Approx(4).epsilon(0.05));
}

TEST_CASE("a pendulum's family over its energy has the periods 4 K(k)") {
  const System pendulum = read_model(R"toml(lagrangian = "1/2*theta'^2 + cos(theta)"
[space]
theta = "S1"
[simulation]
initial = { theta = 1, "theta'" = 0 })toml",
                                     "pendulum.toml");
  const PeriodicBranches found = orbits(pendulum, "energy", -0.98, 0.9);
  CHECK(found.trivial == std::vector<std::string>{"the motion itself", "energy"});
  CHECK(found.first.points.size() > 20);
  CHECK(found.first.points.back().quantity > 0.89);
  CHECK(found.first.points.front().quantity < -0.97);
  for (const BranchPoint& p : found.first.points) {
    const double k = std::sqrt((p.quantity + 1) / 2);
    CHECK(period(found, p) == doctest::Approx(4 * std::comp_ellint_1(k)).epsilon(1e-8));
    CHECK(p.spectrum.size() == 0);
  }
}

TEST_CASE("periods of Rayleigh's oscillator are those of AUTO-07p, and of van der Pol's") {
  // AUTO: NTST=100, NCOL=5, EPSL=EPSU=1e-10.
  for (const auto& [mu, x, expected] :
       {std::tuple{"0.5", "0.8", 6.3806758018}, {"1", "1.2", 6.6632868593}, {"2", "2.1", 7.6298744799}}) {
    const System system = rayleigh(mu, x);
    const PeriodicBranches found = orbits(system, "mu", std::stod(mu) - 0.01, std::stod(mu) + 0.01);
    for (const BranchPoint& p : found.first.points) {
      CHECK(p.growing == 0);
      if (p.quantity == std::stod(mu)) CHECK(period(found, p) == doctest::Approx(expected).epsilon(1e-8));
    }
  }
}

TEST_CASE("orbits are born at the Hopf point with the amplitude sqrt(4 mu/3)") {
  const System system = rayleigh("-0.05", "0");
  SteadyQuestion steady;
  steady.vary = "mu";
  steady.branch.low = -0.1;
  steady.branch.high = 0.1;
  const Flow flow(system);
  const auto starts = hopf_starts(steady_branches(system, initial_state(flow), steady));
  REQUIRE(starts.size() == 1);
  CHECK(std::abs(*starts[0].parameter) < 1e-4);
  PeriodicQuestion question;
  question.vary = "mu";
  question.branch = steady.branch;
  const PeriodicBranches found = periodic_branches(system, starts[0], question);
  for (std::size_t k = 0; k < found.first.points.size(); ++k) {
    const double mu = found.first.points[k].quantity;
    CHECK(mu > -1e-6);
    CHECK(found.extents[0][k].largest[0] == doctest::Approx(std::sqrt(4 * mu / 3)).epsilon(0.03));
  }
  CHECK(std::max(found.first.points.front().quantity, found.first.points.back().quantity) > 0.09);
  CHECK((found.first.ended_forward == "a steady motion" || found.first.ended_backward == "a steady motion"));
}

TEST_CASE("Duffing's folds and its period doubling are those of AUTO-07p") {
  const System duffing = read_model(R"toml(lagrangian = "1/2*x'^2 + 1/2*x^2 - 1/4*x^4"
[space]
x = "R"
[parameters]
A = 0.05
[forces]
x = "A*cos(t) - 3/10*x'"
[simulation]
initial = { x = 1, "x'" = 0 })toml",
                                    "duffing.toml");
  const PeriodicBranches found = orbits(duffing, "A", 0, 0.3, "2*pi", 0.02);
  const auto events = orbit_events(found.first);
  REQUIRE(events.size() == 3);
  CHECK(events[0].second == "fold");
  CHECK(events[0].first == doctest::Approx(0.2728524583).epsilon(1e-7));
  CHECK(events[1].second == "fold");
  CHECK(events[1].first == doctest::Approx(0.1909574839).epsilon(1e-7));
  CHECK(events[2].second == "period doubling");
  CHECK(events[2].first == doctest::Approx(0.2133565045).epsilon(1e-5));
  REQUIRE(found.doubled.size() == 1);
  CHECK(period(found, found.doubled[0].points.front()) == doctest::Approx(4 * M_PI));
  CHECK((found.doubled[0].ended_forward == "the branch of half the period" ||
         found.doubled[0].ended_backward == "the branch of half the period"));
}

TEST_CASE("tori are born at mu = q^2 beside a driven oscillator, with the angle 2 pi sqrt(1 + q)") {
  // x = 0 has multipliers on the circle where x is not damped; those of y lie within it, at another angle.
  const System system = read_model(R"toml(lagrangian = "1/2*x'^2 + 1/2*y'^2 - 1/2*(1 + q)*x^2 - y^2"
[space]
x = "R"
y = "R"
[parameters]
mu = -0.5
q = 0.5
[forces]
x = "(mu - q^2)*x' - x'^3"
y = "-1/2*y' + sin(t)"
[simulation]
initial = { x = 0, y = -0.9, "x'" = 0, "y'" = 0 })toml",
                                   "driven.toml");
  PeriodicQuestion question;
  question.vary = "mu";
  question.branch.low = -1;
  question.branch.high = 1;
  question.forcing_period = "2*pi";
  question.second = {"q", -0.9, 1.6};
  OrbitStart start;
  start.state = initial_state(Flow(system), {.project = true});
  const PeriodicBranches found = periodic_branches(system, start, question);
  const auto events = orbit_events(found.first);
  REQUIRE(events.size() == 1);
  CHECK(events[0].first == doctest::Approx(0.25).epsilon(1e-6));
  CHECK(events[0].second.starts_with("torus (Neimark-Sacker), angle 1.412"));
  REQUIRE(found.curves.size() == 1);
  const BifurcationCurve& torus = found.curves[0];
  CHECK(torus.kind == "torus (Neimark-Sacker)");
  double least = 1, most = 0;
  for (std::size_t k = 0; k < torus.first.size(); ++k) {
    const double q = torus.branch.points[k].quantity;
    least = std::min(least, q);
    most = std::max(most, q);
    CHECK(torus.first[k] == doctest::Approx(q * q).epsilon(1e-5));
    CHECK(torus.critical[k] ==
          doctest::Approx(std::abs(std::remainder(2 * M_PI * std::sqrt(1 + q), 2 * M_PI))).epsilon(1e-4));
  }
  CHECK(least == doctest::Approx(-0.9));  // both directions reach the ends of the ranges
  CHECK(most > 0.9);
}

TEST_CASE("a motion that does not come back, and a forcing without a period, are errors") {
  const System free = read_model(
      "lagrangian = \"1/2*x'^2\"\n[space]\nx = \"R\"\n[parameters]\na = 1\n[forces]\nx = "
      "\"a\"\n[simulation]\ninitial = { x = 1, \"x'\" = 1 }\n",
      "free.toml");
  CHECK_THROWS_AS(orbits(free, "a", 0, 2), Error);
}
