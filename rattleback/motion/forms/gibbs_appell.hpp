#pragma once
/// The equations of Gibbs and Appell, from a parametrisation of the admissible velocities: Benenti's first method.

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {

/// G_αβ ż^β = ψ^k_α (b_k − M_ki (dψ^i/dt at ż = 0)),   ψ^k_α = ∂ψ^k/∂z^α,   G_αβ = M_ij ψ^i_α ψ^j_β,             (G.2)
/// with M and b of (A.1) at v = ψ(q, z). Only the r × r matrix G is inverted. Constraints that are not linear follow
/// Chetaev's rule.
///
/// The term M_ki dψ^i/dt is missing from Benenti's Theorem 7.1; without it the energy drifts (see the theory page).
EquationsOfMotion gibbs_appell_equations(const System& system);

/// S* = ½ G_αβ ż^α ż^β + (M_ki dψ^i/dt − b_k) ψ^k_α ż^α for the Lagrangian without its part at rest: ∂S*/∂ż^α = A_α,    (G.3)
/// where A_α = (Q_k + X_k L|_{v=0}) ψ^k_α. The accelerations ż^α are symbols named z'.
struct GibbsFunction {
  Expr value;
  std::vector<Symbol> accelerations;
  std::vector<Expr> forces;  ///< A_α
};
GibbsFunction gibbs_function(const System& system, const SolvedVelocities& v);

}  // namespace rattleback
