#pragma once
/// The Euler–Poincaré–Suslov equations: a left-invariant Lagrangian and left-invariant constraints on a Lie group.

#include <rattleback/geometry/lie_algebra.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// Everything on the Lie algebra: ξ = Ψ z + y with constant Ψ, y.
struct EulerPoincareSuslov {
  System system;  ///< in the left-invariant frame, whose velocities are the ξ^a
  Matrix frame;   ///< v^i = frame(i, a) ξ^a: the model's velocities
  LieAlgebra algebra;
  Expr lagrangian;     ///< l(ξ)
  Matrix constraints;  ///< a^s_b: one row for each independent constraint a^s(ξ) = const
  Admissible D;        ///< constants
};

/// Throws Error[form-does-not-apply] when no group acts simply transitively and leaves the system as it is.
EulerPoincareSuslov euler_poincare_suslov(const System& system);

/// (ad*_ξ p)_b = C_ab^c ξ^a p_c.                                                                           (R.2)
std::vector<Expr> coadjoint_torque(const LieAlgebra& g, std::span<const Expr> xi, std::span<const Expr> p);

/// ṗ_b = C_ab^c ξ^a p_c + Q_b + λ_s a^s_b,   a^s(ξ) = const,   p = ∂l/∂ξ;                                        (R.3)
/// along D, where the reaction does not work, G_αβ ż^β = Ψ^b_α (C_ab^c ξ^a p_c + Q_b − ∂_t p_b).               (R.4)
/// Without constraints these are the Euler–Poincaré equations. The multipliers come along.
EquationsOfMotion suslov_equations(const System& system);

}  // namespace rattleback
