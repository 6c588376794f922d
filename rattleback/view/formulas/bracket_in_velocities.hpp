#pragma once
/// Shorter almost-Poisson equations: written in the velocities z and the momenta p side by side, with z(q, p) stated once.

#include <rattleback/motion/forms/bracket.hpp>

namespace rattleback {

/// ṗ and q̇ in z, and z(q, p) once.
struct BracketInVelocities {
  std::vector<Expr> momentum_rates, configuration_rates;
  SymbolMap velocities;                ///< v^i ↦ ψ^i(q, z)
  std::vector<Statement> definitions;  ///< of z
  std::vector<Step> steps;             ///< with z, too
};
/// Where it is much shorter than the equations of the form `bracket` as they stand; nothing for other forms.
std::optional<BracketInVelocities> bracket_in_velocities(const System& system,
                                                         const EquationsOfMotion& equations);

}  // namespace rattleback
