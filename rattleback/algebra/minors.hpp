#pragma once
/// Determinants of small matrices by Laplace's expansion: no divisions, hence no false singularities.

#include <span>
#include <vector>

#include <rattleback/algebra/matrix.hpp>

namespace rattleback {

/// det of the rows and columns named, in that order; expanded over shared sub-determinants. For up to six or so.
Expr minor(const Matrix& a, std::span<const int> rows, std::span<const int> columns);

/// All subsets of {0, …, n−1} with k elements, in lexicographic order.
std::vector<std::vector<int>> subsets(int n, int k);

}  // namespace rattleback
