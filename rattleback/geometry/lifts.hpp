#pragma once
/// Lifts of vector fields from Q to its tangent bundle.

#include <rattleback/geometry/vector_field.hpp>

namespace rattleback {

/// The vertical lift X^v = X^i ∂/∂v^i on TQ = tangent_bundle(Q).                                     (F.14)
VectorField vertical_lift(const Space& TQ, const VectorField& X);

/// The complete lift, whose flow is the tangent of the flow of X:                                    (F.15)
///     X^c = X^i X_i + (v^j X_j(X^i) + C_jk^i v^j X^k) ∂/∂v^i.
VectorField complete_lift(const Space& TQ, const VectorField& X);

/// A function of the configuration as a function on TQ: f^v = f, and f^c = v^i X_i f.
Expr complete_lift(const Space& Q, Expr f);

}  // namespace rattleback
