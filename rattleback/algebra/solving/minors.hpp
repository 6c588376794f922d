#pragma once
/// Determinants of small matrices by Laplace's expansion: no divisions, hence no false singularities.

#include <map>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// Σ_k (−1)^k a(r_0, c_k) · det(rows after r_0, columns without c_k): the minors of the last rows are shared.
/// For entries of any commutative ring; zeros of `a(row, column)` are skipped.
template <class Value, class Entry>
class Laplace {
 public:
  Laplace(Entry a, std::span<const int> rows) : a_(std::move(a)), rows_(rows) {}

  Value determinant(const std::vector<int>& columns) {
    if (columns.empty()) return Value(1);
    if (const auto found = known_.find(columns); found != known_.end()) return found->second;
    const int row = rows_[rows_.size() - columns.size()];
    Value d(0);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Value entry = a_(row, columns[k]);
      if (entry.is_zero()) continue;
      std::vector<int> others = columns;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const Value term = entry * determinant(others);
      d = k % 2 == 0 ? d + term : d - term;
    }
    return known_[columns] = d;
  }

 private:
  Entry a_;
  std::span<const int> rows_;
  std::map<std::vector<int>, Value> known_;
};

/// det of the rows and columns named, in that order. The cost grows with 2^n; meant for n ≤ 6.
template <class Value, class Entry>
Value minor(Entry a, std::span<const int> rows, std::span<const int> columns) {
  return Laplace<Value, Entry>(std::move(a), rows).determinant({columns.begin(), columns.end()});
}
inline Expr minor(const Matrix& a, std::span<const int> rows, std::span<const int> columns) {
  return minor<Expr>([&a](int i, int j) { return a(i, j); }, rows, columns);
}

/// All subsets of {0, …, n−1} with k elements, in lexicographic order.
std::vector<std::vector<int>> subsets(int n, int k);

}  // namespace rattleback
