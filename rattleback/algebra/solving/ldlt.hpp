#pragma once
/// LDLᵀ decomposition A = P L D Lᵀ Pᵀ of symmetric matrices of functions: straight-line, with pivots on the diagonal.

#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// Row i of L belongs to row order[i] of A: A(order[i], order[j]) = Σ_k L(i, k) d_k L(j, k).
struct LDLt {
  std::vector<int> order;
  Matrix l;             ///< unit lower triangular; as many columns as pivots
  std::vector<Expr> d;  ///< pivots; fewer than rows when A has smaller rank
  Assumptions where;    ///< pivots that might vanish
};

/// Throws Error[no-diagonal-pivot] when what is left has a zero diagonal and is not zero: then A is indefinite and
/// has no such decomposition. For a positive definite A the pivots are positive everywhere.
LDLt ldlt(const Matrix& a);

/// A x = b with a decomposition of full rank; throws Error[singular-matrix] otherwise.
Matrix solve(const LDLt& a, const Matrix& b);

/// Π d_k, or 0 when the rank is smaller.
Expr determinant(const LDLt& a);

}  // namespace rattleback
