#pragma once
/// Voronets' equations: Lagrange's on the base, corrected by the curvature of the constraints.

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/forms/splitting.hpp>

namespace rattleback {

/// What the equations are made of. All functions are of q and the base velocities v^α (and t).
struct Voronets {
  Splitting constraints;  ///< v^a + A^a_α v^α + c^a = 0
  Expr lagrangian;        ///< ℓ_c(q, v^α): L with the fibre velocities replaced
  std::vector<Expr>
      fibre_momenta;  ///< (∂L/∂v^a)_c: the derivative is taken first, then the constraint is used
  StructureCoefficients base_brackets;  ///< c_αβ^γ, zero when the base has coordinates
  Curvature B;                          ///< B^a_αβ
  Matrix drift_curvature;               ///< B^a_α0 = φ^a([X_α, X_0]) with X_0 = ∂_t − c^a X_a, k × m
  Matrix drift_brackets;                ///< c_α0^γ, stored (γ, α); zero when the base has coordinates
};
Voronets voronets(const System& system, const Splitting& constraints);

/// −(∂L/∂v^a)_c (B^a_αβ v^β + B^a_α0): the force that the curvature exerts along X_α.                        (V.4)
std::vector<Expr> curvature_force(const Voronets& form);

/// d/dt ∂ℓ_c/∂v^α + (c_αβ^γ v^β + c_α0^γ) ∂ℓ_c/∂v^γ
///     = X_α[ℓ_c] − (∂L/∂v^a)_c (B^a_αβ v^β + B^a_α0) + Q_α − A^a_α Q_a.                                 (V.3)
/// See docs/theory/voronets.md. The base velocities are the speeds.
EquationsOfMotion voronets_equations(const System& system);
EquationsOfMotion voronets_equations(const System& system, const Voronets& form);

/// The steps of the derivation to print: A and c, ℓ_c, B.
std::vector<Step> steps(const Voronets& form);

}  // namespace rattleback
