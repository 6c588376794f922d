#pragma once
/// Nonvanishing of principal minors of definite matrices.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// Which of the expressions are, up to a number, a principal minor of G, or a product or a quotient of two of them. Pivots of an
/// elimination are, and determinants of what it leaves: where G is definite they have no zeros. Seen at random points, wrong with
/// probability below 2^−40; none for large matrices.
std::vector<bool> are_made_of_principal_minors(const Matrix& G, std::span<const Expr> es);

}  // namespace rattleback
