/// Curves of bifurcations in two parameters against closed forms.
#include <cmath>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/study/steady_branch.hpp>

using namespace rattleback;

namespace {

SteadyBranches curves_of(const System& system, const std::string& vary, double low, double high,
                         const SecondParameter& second) {
  SteadyQuestion question;
  question.vary = vary;
  question.branch.low = low;
  question.branch.high = high;
  question.second = second;
  const Flow flow(system);
  return steady_branches(system, initial_state(flow, {.project = true}), question);
}

}  // namespace

TEST_CASE("folds of p + q x - x^3 = 0 lie on 27 p^2 = 4 q^3 and meet in the cusp") {
  const System system = read_model(R"toml(lagrangian = "1/2*x'^2 + p*x + 1/2*q*x^2 - 1/4*x^4"
[space]
x = "R"
[parameters]
p = 0
q = 1
[forces]
x = "-x'"
[simulation]
initial = { x = 1, "x'" = 0 })toml",
                                   "cusp.toml");
  const SteadyBranches found = curves_of(system, "p", -2, 2, {"q", -1, 2});
  REQUIRE(!found.curves.empty());
  std::size_t checked = 0;
  for (const BifurcationCurve& curve : found.curves) {
    CHECK(curve.kind == "fold");
    for (std::size_t k = 0; k < curve.first.size(); ++k) {
      const double p = curve.first[k], q = curve.branch.points[k].quantity;
      CHECK(std::abs(27 * p * p - 4 * q * q * q) < 1e-7);
      CHECK(q > -1e-6);  // none beyond the cusp
      ++checked;
    }
  }
  CHECK(checked > 20);
}

TEST_CASE("Hopf points at mu = q^2, with their frequency") {
  const System system = read_model(R"toml(lagrangian = "1/2*x'^2 - 1/2*(1 + q)*x^2"
[space]
x = "R"
[parameters]
mu = 0
q = 0.5
[forces]
x = "(mu - q^2)*x' - x'^3"
[simulation]
initial = { x = 0, "x'" = 0 })toml",
                                   "hopf.toml");
  const SteadyBranches found = curves_of(system, "mu", -1, 3, {"q", -0.9, 1.6});
  REQUIRE(found.curves.size() == 1);
  CHECK(found.curves[0].kind == "Hopf");
  CHECK(found.curves[0].first.size() > 10);
  for (std::size_t k = 0; k < found.curves[0].first.size(); ++k) {
    const double q = found.curves[0].branch.points[k].quantity;
    CHECK(found.curves[0].first[k] == doctest::Approx(q * q).epsilon(1e-8));
    CHECK(found.curves[0].critical[k] == doctest::Approx(std::sqrt(1 + q)).epsilon(1e-6));
  }
  // On the branch itself the point is exact, not where an eigenvalue begins to count as growing.
  for (const BranchPoint& p : found.first.points)
    if (p.kind == BranchPoint::Kind::change) CHECK(p.quantity == doctest::Approx(0.25).epsilon(1e-9));
  CHECK_THROWS_AS(curves_of(system, "mu", -1, 3, {"nothing", 0, 1}), Error);
}
