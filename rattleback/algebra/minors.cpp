#include <rattleback/algebra/minors.hpp>

#include <map>

namespace rattleback {
namespace {

/// Σ_k (−1)^k a(r_0, c_k) · det(rows after r_0, columns without c_k): the last rows' minors are shared.
class Laplace {
 public:
  Laplace(const Matrix& a, std::span<const int> rows) : a_(a), rows_(rows) {}

  Expr determinant(const std::vector<int>& columns) {
    if (columns.empty()) return Expr(1);
    if (const auto found = known_.find(columns); found != known_.end()) return found->second;
    const int row = rows_[rows_.size() - columns.size()];
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Expr entry = a_(row, columns[k]);
      if (entry.is_zero()) continue;
      std::vector<int> others = columns;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      const Expr rest = determinant(others);
      if (!rest.is_zero()) terms.push_back(k % 2 == 0 ? entry * rest : -(entry * rest));
    }
    return known_[columns] = terms.empty() ? Expr(0) : sum(terms);
  }

 private:
  const Matrix& a_;
  std::span<const int> rows_;
  std::map<std::vector<int>, Expr> known_;
};

}  // namespace

Expr minor(const Matrix& a, std::span<const int> rows, std::span<const int> columns) {
  return Laplace(a, rows).determinant({columns.begin(), columns.end()});
}

std::vector<std::vector<int>> subsets(int n, int k) {
  std::vector<std::vector<int>> all;
  std::vector<int> chosen;
  const auto extend = [&](auto&& self, int first) -> void {
    if (static_cast<int>(chosen.size()) == k) {
      all.push_back(chosen);
      return;
    }
    for (int i = first; i < n; ++i) {
      chosen.push_back(i);
      self(self, i + 1);
      chosen.pop_back();
    }
  };
  extend(extend, 0);
  return all;
}

}  // namespace rattleback
