#pragma once
/// The divergence on N = {φ = 0}, the configuration space of a system with position constraints.

#include <rattleback/model/system.hpp>

namespace rattleback {

/// div X + X[log √det(A Aᵀ)], A = dφ (M.12): the divergence in the frame of the space, corrected for the volume of N (normal_gram.hpp). X is tangent
/// to {φ = const} near N, not only to N.
Expr divergence_on_positions(const System& system, const VectorField& X);
/// The same on N × time, for constraints that move: X + ∂/∂t.
Expr divergence_on_moving_positions(const System& system, const VectorField& X);

}  // namespace rattleback
