#pragma once
/// Whether the kinetic energy is positive along every admissible velocity: then what is divided by never vanishes.

#include <rattleback/motion/admissible.hpp>

namespace rattleback {

/// Is G_αβ = ∂²ℓ/∂z^α∂z^β known to be positive definite at every configuration? With the Lagrangian F(q, w) of (H.5) and
/// θ_k(X_α) = Θ_kα,
///     G = Θᵀ H Θ,  H_kl = ∂²F/∂w_k∂w_l,                                                                       (H.7)
/// which is so when H is positive definite and Θ has full rank everywhere. False may be wrong.
bool has_definite_metric(const System& system, const Admissible& D);

}  // namespace rattleback
