#pragma once
/// Linear algebra over functions: rank, kernel (null space), solutions, inverse, determinant. Each returns its assumptions; see elimination.hpp.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// The rank at a generic point. At least this: a minor is nonzero. At most this: see `at_most`.
struct Rank {
  int value = 0;
  Certificate at_most;  ///< exact when the rank is full, otherwise larger minors vanish at random points
  operator int() const { return value; }  // NOLINT: a rank is a number with evidence
};
Rank rank(const Matrix& a);
/// The same with proof: larger minors vanish exactly, i.e. a·kernel(a) = 0 in an exact field.
Verdict has_rank(const Matrix& a, int r);

/// Columns that form a basis of the column space at a generic point; earlier columns are preferred.
std::vector<int> independent_columns(const Matrix& a);

/// Where the rank is smaller than at a generic point.
struct RankDrop {
  /// The rank drops where, for one of the lists, all its expressions vanish. Empty: nowhere.
  std::vector<std::vector<Expr>> loci;
  bool exact = true;  ///< false: it drops at most there
};
RankDrop rank_drop(const Matrix& a);

struct Kernel {
  Matrix basis;  ///< columns with a·column = 0; free of denominators where that is cheap
  Assumptions where;
};
/// {x : a x = 0}.
Kernel kernel(const Matrix& a);
/// {y : yᵀ a = 0}, as columns.
Kernel left_kernel(const Matrix& a);

struct Solution {
  Matrix x;            ///< one solution per column of the right-hand side; unknowns without pivot are 0
  Matrix homogeneous;  ///< columns to add freely; none when the solution is unique
  Assumptions where;
};
/// a x = b. Nothing when no solution exists at a generic point.
std::optional<Solution> solve(const Matrix& a, const Matrix& b);
/// The solution when there is exactly one at a generic point; nothing otherwise.
std::optional<Solution> unique_solution(const Matrix& a, const Matrix& b);
/// Expressions that vanish exactly where a x = b has a solution (wherever a has its generic rank).
std::vector<Expr> consistency_conditions(const Matrix& a, const Matrix& b);

/// a⁻¹, by solving; throws Error[singular-matrix].
Solution inverse(const Matrix& a);

/// Division-free up to four rows; beyond that certain pivots are divided by first, uncertain ones last.
Expr determinant(const Matrix& a);

/// Rows or columns of a, in the order named.
Matrix rows_of(const Matrix& a, const std::vector<int>& rows);
Matrix columns_of(const Matrix& a, const std::vector<int>& columns);
/// (a | b).
Matrix beside(const Matrix& a, const Matrix& b);

}  // namespace rattleback
