#pragma once
/// How a page of the almost-Poisson form is written in few letters: with velocities beside the momenta.

#include <rattleback/motion/bracket.hpp>

namespace rattleback {

/// The bracket with z in place of z(q, p), for people: there
///     H_c = ½(p_α − b_α) z^α − ℓ_c(q, 0),   b_α = p_α at z = 0.                                         (P.8)
ConstrainedBracket in_velocities(const System& system, const ConstrainedBracket& b);

/// ṗ and q̇ in z, and z(q, p) once.
struct PageInVelocities {
  std::vector<Expr> momentum_rates, configuration_rates;
  SymbolMap velocities;                ///< v^i ↦ ψ^i(q, z)
  std::vector<Statement> definitions;  ///< of z
};
/// Where it is much shorter than the equations of the form `bracket` as they stand; nothing for other forms.
std::optional<PageInVelocities> page_in_velocities(const System& system, const EquationsOfMotion& equations);

}  // namespace rattleback
