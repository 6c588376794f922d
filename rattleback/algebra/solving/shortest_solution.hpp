#pragma once
/// Minimum-norm solution of underdetermined linear equations, which has few poles.

#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {

/// A y = c where certain pivots leave blocks of rows A_b y_b = c_b: of each block the shortest solution,
///     y_b = A_bᵀ(A_b A_bᵀ)⁻¹ c_b,
/// which has poles only where the rows lose their rank: y' cos θ − x' sin θ = c is solved by c (−sin θ, cos θ), not by c/cos θ.
/// Nothing where there is no solution, or uncertain pivots are needed.
std::optional<Solution> shortest_solution(const Matrix& A, const Matrix& c);

}  // namespace rattleback
