/// What sweeps keep of motions and of their neighbours: exponents, MEGNO, periods, rotation numbers, attractors.
#include <cmath>
#include <numbers>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/states/initial_state.hpp>
#include <rattleback/simulate/states/with_initial_values.hpp>
#include <rattleback/sweep/members.hpp>

using namespace rattleback;

namespace {

struct Kept {
  std::vector<std::vector<double>> rows;  ///< of each member
};

Kept kept(const System& system, double until, const std::string& vary, const std::vector<std::string>& keep) {
  SweepPlan plan;
  plan.system = system;
  plan.until = until;
  plan.settings = {.rtol = 1e-11, .atol = 1e-13, .step = 0};
  for (const std::string& text : keep) plan.keep.push_back(reduction(text, system));
  const Members members(plan, Ensemble({axis(vary)}, 1, 1));
  const BlockWorker worker = members.worker();
  Kept found;
  for (std::size_t m = 0; m < members.ensemble().size(); ++m) {
    const std::vector<double> row = worker({m, m, m + 1});
    found.rows.emplace_back(row.end() - static_cast<std::ptrdiff_t>(keep.size()), row.end());
  }
  return found;
}

System damped() {
  return read_model(R"(lagrangian = "1/2*x'^2 - 2*x^2"
[space]
x = "R"
[parameters]
c = 0.5
[forces]
x = "-c*x'"
[velocities]
v = "x'"
[simulation]
initial = { x = 1, v = 0 })",
                    "damped.toml");
}

}  // namespace

TEST_CASE(
    "exponents of damped oscillators: half of the damping, or the roots of the characteristic equation") {
  const Kept found = kept(damped(), 200, "c=0.1,0.5,5", {"a=lyapunov(1)", "b=lyapunov(2)"});
  REQUIRE(found.rows.size() == 3);
  for (std::size_t m = 0; m < 2; ++m) {
    const double c = m == 0 ? 0.1 : 0.5;
    CHECK(found.rows[m][0] == doctest::Approx(-c / 2).epsilon(0.03));
    CHECK(found.rows[m][0] + found.rows[m][1] == doctest::Approx(-c).epsilon(1e-6));
  }
  CHECK(found.rows[2][0] == doctest::Approx(-1).epsilon(0.01));
  CHECK(found.rows[2][1] == doctest::Approx(-4).epsilon(0.01));
}

TEST_CASE("chaos: lanes agree with the single spectrum, whoever is beside them") {
  const System stone =
      with_initial_values(load_model("rattleback"), {{"Omega1", "1"}, {"Omega2", "2"}, {"Omega3", "-2"}});
  const Kept found = kept(stone, 100, "delta=0,0.45", {"l=lyapunov(1)", "m=megno"});
  const Flow flow(with_values(stone, {{"delta", "0"}}));
  const LyapunovExponents single = lyapunov_exponents(flow, initial_state(flow), 100, 1);
  CHECK(found.rows[0][0] > 0.2);
  CHECK(std::abs(found.rows[0][0] - single.exponents[0]) < 5 * single.errors[0]);
  CHECK(found.rows[0][1] > 10);
  CHECK(found.rows[1][0] < 0.1);  // it settles into a spin
  CHECK(found.rows[1][1] < 4);
}

TEST_CASE("periods, means, reversals, rotation numbers and where motions end") {
  const Kept found = kept(damped(), 150, "c=0.02,0.2",
                          {"p=period(x)", "m=mean(x^2)", "r=reversals(v)", "e=basin(x)", "l=lyapunov(1)"});
  for (std::size_t m = 0; m < 2; ++m) {
    const double c = m == 0 ? 0.02 : 0.2, w = std::sqrt(4 - c * c / 4);
    CHECK(found.rows[m][0] == doctest::Approx(2 * std::numbers::pi / w).epsilon(1e-8));
    CHECK(found.rows[m][2] == doctest::Approx(std::floor(150 * w / std::numbers::pi)).epsilon(0.01));
    CHECK(std::abs(found.rows[m][3]) < 1e-2);
    CHECK(found.rows[m][4] == doctest::Approx(-c / 2).epsilon(0.05));
  }
  // ∫ x² dt of x = e^{−ct/2}(cos wt + c/(2w) sin wt), to leading order 1/(2c)
  CHECK(found.rows[1][1] == doctest::Approx(1 / (2 * 0.2) / 150).epsilon(0.02));
  const System turning = read_model(R"(lagrangian = "1/2*x'^2 + 1/2*phi'^2 - 1/2*x^2"
[space]
x = "R"
phi = "S1"
[simulation]
initial = { x = 1, "x'" = 0, phi = 0, "phi'" = 0.3 })",
                                    "turning.toml");
  const Kept turns = kept(turning, 300, "phi'=0.3,0.7", {"n=rotation-number(phi, x)"});
  CHECK(turns.rows[0][0] == doctest::Approx(0.3).epsilon(1e-9));
  CHECK(turns.rows[1][0] == doctest::Approx(0.7).epsilon(1e-9));
}

TEST_CASE("what cannot be kept is refused") {
  CHECK_THROWS_WITH_AS(reduction("l=lyapunov(x)", damped()), doctest::Contains("does not say what to keep"),
                       Error);
  CHECK_THROWS_WITH_AS(reduction("l=rotation-number(x)", damped()), doctest::Contains("does not say"), Error);
  SweepPlan plan;
  plan.system = damped();
  plan.until = 1;
  plan.keep = {reduction("l=lyapunov(3)", plan.system)};
  CHECK_THROWS_WITH_AS(Members(plan, Ensemble({axis("c=0:1:2")}, 1, 1)),
                       doctest::Contains("exponent 3 of a motion with 2 directions"), Error);
}
