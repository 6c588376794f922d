/// Branches of steady motions: folds, pitchforks and Hopf points that are known in closed form.
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/study/steady_branch.hpp>

using namespace rattleback;

namespace {

SteadyBranches followed(const System& system, const std::string& vary, double low, double high) {
  SteadyQuestion question;
  question.vary = vary;
  question.branch.low = low;
  question.branch.high = high;
  question.known = known_invariants(system);
  const Flow flow(system);
  return steady_branches(system, initial_state(flow, {.project = true}), question);
}

/// Special points of the first branch with what happens there.
std::vector<std::pair<double, std::string>> events(const Branch& branch) {
  std::vector<std::pair<double, std::string>> found;
  for (std::size_t k = 1; k + 1 < branch.points.size(); ++k)
    if (branch.points[k].kind != BranchPoint::Kind::regular)
      found.emplace_back(branch.points[k].quantity,
                         description(branch.points[k - 1], branch.points[k], branch.points[k + 1]));
  return found;
}

}  // namespace

TEST_CASE("a fold: x^2 = p is followed around p = 0, stable on one side") {
  const System system = read_model(R"toml(lagrangian = "1/2*x'^2 - x^3/3 + p*x"
[space]
x = "R"
[parameters]
p = 1
[simulation]
initial = { x = 0.9, "x'" = 0 })toml",
                                   "fold.toml");
  const SteadyBranches found = followed(system, "p", -1, 2);
  const auto special = events(found.first);
  REQUIRE(special.size() == 1);
  CHECK(std::abs(special[0].first) < 1e-7);
  CHECK(special[0].second == "fold");
  for (const BranchPoint& p : found.first.points) {
    CHECK(p.u[0] * p.u[0] == doctest::Approx(p.quantity).epsilon(1e-9));
    if (std::abs(p.u[0]) > 1e-3) CHECK((p.growing == 0) == (p.u[0] > 0));
  }
  CHECK(found.first.points.front().u[0] * found.first.points.back().u[0] < 0);  // both sides
}

TEST_CASE(
    "a bead on a turning hoop: the bottom loses its stability at w^2 = g/R, and cos(theta) = g/(R w^2) "
    "branches off") {
  const System system =
      read_model(R"toml(lagrangian = "1/2*R^2*theta'^2 + 1/2*R^2*w^2*sin(theta)^2 + g*R*cos(theta)"
[space]
theta = "S1"
[parameters]
R = 0.5
g = 9.8
w = 1
[simulation]
initial = { theta = 0.01, "theta'" = 0 })toml",
                 "hoop.toml");
  const SteadyBranches found = followed(system, "w", 0.5, 8);
  const auto special = events(found.first);
  REQUIRE(special.size() == 1);
  CHECK(special[0].first == doctest::Approx(std::sqrt(9.8 / 0.5)).epsilon(1e-6));
  CHECK(special[0].second == "branch point: a real eigenvalue passes zero");
  REQUIRE_FALSE(found.others.empty());
  std::size_t tilted = 0;
  for (const BranchPoint& p : found.others.front().points) {
    if (std::abs(p.u[0]) < 0.05) continue;
    ++tilted;
    CHECK(std::cos(p.u[0]) == doctest::Approx(9.8 / (0.5 * p.quantity * p.quantity)).epsilon(1e-8));
    CHECK(p.growing == 0);
  }
  CHECK(tilted > 5);
}

TEST_CASE("van der Pol's oscillator: Hopf at p = 0 with frequency 2") {
  const System system = read_model(R"toml(lagrangian = "1/2*x'^2 - 2*x^2"
[space]
x = "R"
[parameters]
p = -0.5
[forces]
x = "(p - x^2)*x'"
[simulation]
initial = { x = 0, "x'" = 0 })toml",
                                   "vanderpol.toml");
  const SteadyBranches found = followed(system, "p", -1, 1);
  const auto special = events(found.first);
  REQUIRE(special.size() == 1);
  CHECK(std::abs(special[0].first) < 1e-4);
  CHECK(special[0].second.starts_with("Hopf, frequency 2"));
  CHECK(found.others.empty());
}

TEST_CASE("a disk that rolls straight ahead is stable iff roll^2 > m g R J/(I (I + m R^2))") {
  const System system =
      with_initial_values(load_model("falling-disk"), {{"theta", "0"}, {"turn", "0"}, {"roll", "4"}});
  const SteadyBranches found = followed(system, "roll", 0.5, 5);
  const double critical = std::sqrt(9.8 * 0.25 / (0.5 * 1.5));
  bool seen = false;
  for (const auto& [at, what] : events(found.first)) seen = seen || std::abs(at - critical) < 1e-3;
  CHECK(seen);
  for (const BranchPoint& p : found.first.points) {
    CHECK(std::abs(p.u[2]) < 1e-9);  // upright
    if (std::abs(p.quantity - critical) > 0.01) CHECK((p.growing == 0) == (p.quantity > critical));
  }
}

TEST_CASE("no steady motions where the rates depend on time, or far from the range") {
  const System driven = read_model(R"toml(lagrangian = "1/2*x'^2 - 1/2*x^2"
[space]
x = "R"
[parameters]
p = 1
[forces]
x = "p*cos(t)"
[simulation]
initial = { x = 0, "x'" = 0 })toml",
                                   "driven.toml");
  CHECK_THROWS_WITH_AS(followed(driven, "p", 0, 1), doctest::Contains("no steady states"), Error);
}
