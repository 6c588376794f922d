#include <rattleback/proof/steady/hidden_symmetries.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/field_search.hpp>
#include <rattleback/proof/evidence/linear_terms.hpp>
#include <rattleback/proof/evidence/symmetry_count.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>
#include <rattleback/proof/momenta/free_groups.hpp>

namespace rattleback {
namespace {

bool has_forces(const System& system) {
  return std::any_of(system.forces.begin(), system.forces.end(), [](Expr f) { return !f.is_zero(); });
}

/// Shifts of coordinates that leave the equations of motion as they are and the Lagrangian not: along gravity against drag.
int shifts_of_motion(const System& system) {
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const auto depends = [](Expr e, Symbol q) {
    return contains(e, q) && !vanishes_at_random_points(derivative(e, q));
  };
  std::vector<VectorField> known;
  for (const Generator& g : found_symmetries(system).generators) known.push_back(g.field);
  int count = 0;
  for (int leg = 0; leg < system.space.dimension(); ++leg) {
    const auto q = system.space.coordinate(leg);
    if (!q || std::ranges::any_of(motion.speed_rates, [&](Expr e) { return depends(e, *q); }) ||
        std::ranges::any_of(motion.velocities, [&](const auto& v) { return depends(v.second, *q); }))
      continue;
    std::vector<VectorField> fields{VectorField::leg(system.space, leg)};
    fields.insert(fields.end(), known.begin(), known.end());
    if (combination_of_others(system.space, fields)) continue;
    known.push_back(fields.front());
    ++count;
  }
  return count;
}

}  // namespace

std::optional<std::string> group_of_steady_motions(const System& system) {
  try {
    const Budget budget(work_limits::no_steady_motion);
    const std::vector<FreeGroup> groups = free_groups(system);
    if (groups.empty() || groups.front().formal) return std::nullopt;
    const SymmetryAlgebra all = found_symmetries(system, for_a_derivation);
    const std::size_t used = groups.front().fields.size();
    const bool conjugate = all.name == "so(3)";  // every turn is one about a given axis, moved
    if (all.generators.size() > used && !conjugate) return groups.front().name;
    if (has_forces(system) || has_linear_terms(system).value_or(true)) return groups.front().name;
  } catch (const Exhausted&) {
    Budget::check();
  }
  return std::nullopt;
}

std::optional<std::string> hidden_symmetries(const System& system) {
  try {
    const Budget budget(work_limits::no_steady_motion);
    const auto most = room_for_symmetries(system, has_forces(system) ? Keeps::motion : Keeps::lagrangian);
    if (!most || *most == 0) return std::nullopt;
    const System gauge_free = with_gyroscopic_forces(system).value_or(system);
    int found = position_relations(system).empty()
                    ? count_of_local_symmetries(gauge_free)
                    : static_cast<int>(found_symmetries(gauge_free).generators.size());
    if (has_forces(system)) found += shifts_of_motion(system);
    if (found >= *most) return std::nullopt;
    return fmt::format(
        "Killing's equations leave room for {} {} (N.13), of which {} {} found: motions may be steady under "
        "others",
        *most, *most == 1 ? "symmetry" : "symmetries", found == 0 ? "none" : fmt::format("{}", found),
        found <= 1 ? "was" : "were");
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace rattleback
