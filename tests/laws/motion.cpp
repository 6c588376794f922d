// Random mechanical systems: whatever the metric, the constraints, the potential and the group, all forms agree.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

#include "../forms.hpp"
#include "random_systems.hpp"

using namespace rattleback;

namespace {

void check_agreement(System system) {
  system.forces.assign(static_cast<std::size_t>(system.space.dimension()), Expr(0));
  std::vector<EquationsOfMotion> forms = every_form(system);
  REQUIRE(forms.size() >= 3);
  const Agreement found = agreement(system, forms);
  CAPTURE(found.difference);
  CHECK(proved(found.motion));
  CHECK(proved(found.balance));
  forms.back().speed_rates.front() += forms.back().speeds.front();  // the mutant
  CHECK(refuted(agreement(system, forms).motion));
}

/// Benenti's Theorem 7.1 as it is printed: ż^α = G^αβ (A_k − Γ_ijk ψ^iψ^j) ψ^k_β, without the term M_ki dψ^i/dt.
EquationsOfMotion printed_gibbs_appell(const System& system) {
  EquationsOfMotion equations = gibbs_appell_equations(system);
  const SolvedVelocities v = solved_velocities(system);
  const SymbolMap psi = v.substitution(system.space);
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix legs = jacobian(v.psi, v.speeds), lowered = transpose(legs) * substitute(lagrange.mass, psi);
  const auto rates = solve(lowered * legs, transpose(legs) * substitute(lagrange.force, psi));
  equations.speed_rates.assign(rates->x.entries().begin(), rates->x.entries().end());
  return equations;
}

}  // namespace

TEST_CASE("all forms of random systems on R^n agree") {
  RandomSystems random(31);
  for (const auto& [base, fibre] : {std::pair(1, 1), std::pair(2, 1), std::pair(2, 2), std::pair(3, 1)}) {
    CAPTURE(base);
    check_agreement(random.voronets(base, fibre));
  }
}

TEST_CASE("all forms of random systems with a group factor agree") {
  RandomSystems random(32);
  const Space rotations({special_orthogonal_3("B")});
  check_agreement(random.chaplygin(2, Space({special_euclidean_2("x", "y", "theta")})));
  check_agreement(random.chaplygin(1, rotations));
  check_agreement(random.chaplygin(2, rotations));
}

TEST_CASE(
    "the accelerations with multipliers satisfy Lagrange's equations at every velocity of random systems") {
  RandomSystems random(33);
  for (int k = 0; k < 4; ++k) {
    const System system =
        k % 2 == 0 ? random.voronets(2, 2) : random.chaplygin(1, Space({special_orthogonal_3("B")}));
    const ConstrainedMotion motion = constrained_motion(system);
    const LagrangeEquations lagrange = lagrange_equations(system);
    const auto residuals = [&](const Matrix& a) {
      const Matrix force = lagrange.mass * a - lagrange.force - transpose(motion.rows.a) * motion.multipliers,
                   kept = motion.rows.a * a + motion.rows.c;
      std::vector<Expr> all(force.entries().begin(), force.entries().end());
      all.insert(all.end(), kept.entries().begin(), kept.entries().end());
      return all;
    };
    CHECK(all_vanish(residuals(motion.accelerations)));
    CHECK(some_do_not_vanish(residuals(2 * motion.accelerations)));  // the mutant
  }
}

TEST_CASE("the printed form of Benenti's first method is rejected") {
  for (const std::string model : {"nonholonomic-particle", "chaplygin-sleigh", "quadratic-cone-particle"}) {
    CAPTURE(model);
    const System system = load_model(model);
    const EquationsOfMotion right = gibbs_appell_equations(system), printed = printed_gibbs_appell(system);
    const Agreement found = agreement(system, {right, printed});
    CHECK(refuted(found.motion));
    CHECK_FALSE(found.difference.empty());
    CHECK(proved(agreement(system, {right}).balance));
    CHECK(refuted(agreement(system, {printed}).balance));  // its energy drifts
  }
}
