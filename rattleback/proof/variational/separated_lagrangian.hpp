#pragma once
/// A second Lagrangian of a decoupled system, where another coordinate moves uniformly, too.

#include <optional>
#include <vector>

#include <rattleback/proof/variational/associated_systems.hpp>

namespace rattleback {

/// With q̈_b = 0 for some b besides the coordinate q_1 that measures time; C_a and ξ_a as in DecoupledLagrangian:
///     L = ½ I q̇_1² + ½ I_b q̇_b² + ½ Σ_{a≠b} C_a e^{−ξ_a} q̇_a²/q̇_1,
///     H = p_b²/(2 I_b) + (p_1 + ½ Σ_{a≠b} e^{ξ_a} p_a²/C_a)²/(2I).                                         (C.31)
struct SeparatedLagrangian {
  int uniform = 0;  ///< b
  Expr lagrangian, hamiltonian;
  std::vector<Expr> submanifold;  ///< the constraints at q̇ = ∂H/∂p: quadratic in the momenta
  Verdict is_lagrangian, legendre;
};
/// `inertia` as for decoupled_lagrangian(). Nothing when no other coordinate moves uniformly.
std::optional<SeparatedLagrangian> separated_lagrangian(const Chaplygin& reduction,
                                                        const SecondOrderSystem& s,
                                                        const DecoupledLagrangian& L,
                                                        const SymbolMap& inertia);

}  // namespace rattleback
