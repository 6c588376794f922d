#pragma once
/// The divergence on N = {φ = 0}, the configuration space of a system with position constraints.

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// div X − tr Λ + X[log √det(A Aᵀ)], A = dφ, X φ = Λ φ (M.12): the divergence in the frame of the space, corrected for the volume of N
/// (normal_gram.hpp). X is tangent to N; Λ is 0 where it is tangent to {φ = const} beside N, too.
Expr divergence_on_positions(const System& system, const VectorField& X);
/// The same on N × time, for constraints that move: X + ∂/∂t.
Expr divergence_on_moving_positions(const System& system, const VectorField& X);

}  // namespace rattleback
