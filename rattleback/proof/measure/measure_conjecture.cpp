#include <rattleback/proof/measure/measure_conjecture.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/normal_gram.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>

namespace rattleback {
namespace {

/// dφ/dt = 0 off N = {φ = 0} as well; the divergence on N relies on that.
bool keeps_positions_near_them(const System& system, const EquationsOfMotion& motion) {
  std::vector<SymbolMap> legs;
  for (int i = 0; i < system.space.dimension(); ++i) legs.push_back(system.space.leg(i));
  const std::vector<Expr> relations = independent_relations(position_relations(system), legs);
  const InAmbientSpace everywhere;
  return std::ranges::all_of(relations, [&](Expr phi) {
    return vanishes_at_random_points(derivative_along(phi, along(system, motion)));
  });
}

/// Densities that change with time, and are carried along, exist for every motion.
void require_constant_density(const System& system, const EquationsOfMotion& motion, Expr density) {
  const SymbolMap rates = along(system, motion);
  const auto has_time = [&](const auto& rate) { return contains(rate.second, system.time); };
  if (!contains(density, system.time) || std::ranges::any_of(rates, has_time)) return;
  throw Error("usage", fmt::format("the density contains the time `{}`", system.time.name()),
              "the equations do not, and a measure that they preserve does not change; densities that are "
              "carried along exist for every "
              "motion",
              "give a density of the state alone");
}

}  // namespace

Answer measure_conjecture(const System& system, Expr rho) {
  const OnPositions here(system);
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const Expr density = substitute(on_frame(system, rho), motion.velocities);
  require_constant_density(system, motion, density);
  if (vanishes_at_random_points(density)) return refuted_as_zero();
  if (!keeps_positions_near_them(system, motion))
    return undecided_answer("the admissible velocities are tangent to the position constraints on them only",
                            "write the position constraints in another way");
  const Expr residual =
      derivative_along(density, along(system, motion)) + density * divergence_of(system, motion);
  Answer a = answer_with_point(is_zero(residual));
  std::vector<std::string> names;
  for (const Symbol z : motion.speeds) names.push_back(z.name());
  a.answer["speeds"] = names;
  a.why.push_back(fmt::format("with respect to the configuration and {}", fmt::join(names, ", ")));
  if (const auto q = angle_of_several_values(system.space, density); q && a.outcome == Outcome::proved)
    a.why.push_back(fmt::format("it is not periodic in {}: a density where {} is a line, not on the circle",
                                q->name(), q->name()));
  if (a.outcome == Outcome::refuted) add_formula("Γ[ρ] + ρ div Γ", residual, a);
  if (a.outcome == Outcome::proved) a.certificate = measure_certificate(system, motion, density);
  if (a.outcome == Outcome::refuted)
    a.certificate = not_a_density_certificate(system, motion, density, residual);
  judge_positivity(system, density, "a density", a);
  return a;
}

}  // namespace rattleback
