#pragma once
/// Chaplygin reduction: L, forces and constraints are invariant under a group that moves the fibre; the motion reduces to the base Q/G.

#include <functional>

#include <rattleback/motion/forms/voronets.hpp>

namespace rattleback {

/// The reduced system, abelian (cyclic coordinates s) or not (a group with its left-invariant frame):
///     L and A^a_α do not change along the fibre legs, which commute with the base.
struct Chaplygin {
  System system;  ///< the model, in body axes where its own coordinates do not show the group
  Matrix frame;   ///< v^i = frame(i, j) w^j: the model's velocities in those of `system`
  Voronets form;  ///< connection, curvature, ℓ_c(r, ṙ)
  Matrix metric;  ///< G_αβ = ∂²ℓ_c/∂ṙ^α∂ṙ^β
  Matrix mixed;   ///< M_aγ = ∂(∂L/∂v^a)_c/∂ṙ^γ, k × m; g_aγ − g_ab A^b_γ
  StructureCoefficients
      K;  ///< K(α, β, ε) is K^ε_αβ = M_aγ G^γε B^a_αβ                                     (V.7)
  Matrix lambda;  ///< Λ_αβ = (∂L/∂v^a)_c B^a_βα; −K^ε_αβ p_ε without gyroscopic terms             (V.6)

  bool is_abelian() const;
};

/// Are L, forces and constraints invariant along these legs, which D crosses? The coordinates as they are.
bool is_chaplygin_fibre(const System& system, const std::vector<int>& fibre);

/// Every choice of fibre legs along which L, forces and constraints are invariant, the best first, until `visit` returns true.
/// Throws Error[form-does-not-apply] with the condition that fails when there is none.
void visit_chaplygin_reductions(const System& system, const std::function<bool(Chaplygin)>& visit);
/// The first of them.
Chaplygin chaplygin_reduction(const System& system);

/// d/dt ∂ℓ_c/∂ṙ^α − ∂ℓ_c/∂r^α = Λ_αβ ṙ^β + Q_α − A^a_α Q_a on the base, and v^a = −A^a_α ṙ^α above it.         (V.5)
EquationsOfMotion chaplygin_equations(const System& system);
EquationsOfMotion chaplygin_equations(const System& system, const Chaplygin& reduction);

}  // namespace rattleback
