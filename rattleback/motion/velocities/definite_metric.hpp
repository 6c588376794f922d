#pragma once
/// Positive definiteness of the kinetic metric on the constraint: conditions that need not be stated.

#include <optional>

#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// Conditions under which G_αβ = ∂²ℓ/∂z^α∂z^β is positive definite: none where it always is, conditions on parameters where the
/// inertia might be indefinite, and the zeros of a frame such as Euler's angles. With the Lagrangian F(q, w) of (H.5) and
/// θ_k(X_α) = Θ_kα,
///     G = Θᵀ H Θ,  H_kl = ∂²F/∂w_k∂w_l,                                                                       (H.7)
/// which is definite when H is positive definite and Θ has full rank; rows of w with an inertia that is merely not negative may
/// be left out of both. Nothing where this is not seen.
std::optional<Assumptions> definite_metric(const System& system, const Admissible& D);

/// Where the metric on D is regular, if D is a frame: where it is definite, if that is seen, otherwise where no pivot of it
/// vanishes. A short determinant says exactly where, so it yields only to fewer conditions that suffice.
Assumptions where_regular(const System& system, const Admissible& D, const Assumptions& pivots);

}  // namespace rattleback
