#pragma once
/// Hamel's equations: Lagrange's in quasi-velocities, projected on the constraint.

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// d/dt ∂ℓ/∂z^α = X_α[ℓ] − ⟨p, [X_α, V + ∂_t]⟩ + Q_α,                                                (H.2)
/// with ℓ(q, z) = L(q, ψ(q, z)), p = ∂L/∂v at v = ψ(q, z), V = y + z^β X_β. See docs/theory/hamel.md.
EquationsOfMotion hamel_equations(const System& system);

/// [X_α, X_β] projected on D along its orthogonal complement: C_αβ^γ with G_γδ C_αβ^γ = ⟨X_δ, [X_α, X_β]⟩.  (H.4)
StructureCoefficients constrained_structure_coefficients(const System& system, const Admissible& D);

}  // namespace rattleback
