#pragma once
/// Equations of motion for programs: straight-line elimination, no short forms.

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {

/// Lagrange–d'Alembert on the constraint, sorted by accelerations, G ż = b, as graphs with shared parts; for linear, affine and
/// nonlinear constraints alike:
///
///     Σ_k θ_k(X_α) dF_k/dt = X_α[F] − F_k dθ_k(V, X_α) + Q_α,   F_k = ∂F/∂w_k,  X_α = ∂ψ/∂z^α,                (H.6)
///
/// with the Lagrangian F(q, w) of (H.5), V = ψ, and dθ_k(V, X) = V[θ_k(X)] − X[θ_k(V)] − θ_k([V, X]). Every derivative is
/// taken along a direction; the cost follows the size of the Lagrangian times the degrees of freedom.
struct ProjectedMotion {
  SolvedVelocities velocities;            ///< v = ψ(q, z)
  std::vector<Expr> configuration_rates;  ///< q', one for each function of the space
  Matrix metric, force;                   ///< G, r × r, and b, r × 1
};
ProjectedMotion projected_motion(const System& system);
/// In speeds of the caller's choice.
ProjectedMotion projected_motion(const System& system, SolvedVelocities velocities);

/// Solved for ż by straight-line LDLᵀ, or by (H.8) where G is a constant and a dyad.
///
/// The state is that of `hamel` (of `gibbs-appell` where constraints are not linear): the same speeds in the same order,
/// the same rates; only the shape differs. Long trees of joints take the recursion of articulated.hpp. Throws what these forms throw.
EquationsOfMotion straight_line_equations(const System& system);
/// The same from G and b, which may have been given another shape.
EquationsOfMotion solved_motion(const System& system, const ProjectedMotion& motion);

}  // namespace rattleback
