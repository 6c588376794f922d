#include <rattleback/algebra/solving/shortest_solution.hpp>

#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/solving/elimination.hpp>

namespace rattleback {

std::optional<Solution> shortest_solution(const Matrix& A, const Matrix& c) {
  const Elimination e(beside(A, c), 1);
  if (!e.only_certain_divisions() || !e.inconsistencies().empty()) return std::nullopt;
  const Matrix& left = e.remainder();
  Solution y{Matrix(A.columns(), 1), {}, {}};
  for (const Elimination::Block& block : e.blocks()) {
    const Matrix rows = rows_of(left, block.rows), a = columns_of(rows, block.columns);
    Matrix gram = a * transpose(a);
    for (Expr& g : gram.entries()) g = sign_revealing(g);
    const auto weights = unique_solution(gram, columns_of(rows, {A.columns()}));
    if (!weights) return std::nullopt;
    y.where.insert(y.where.end(), weights->where.begin(), weights->where.end());
    const Matrix x = transpose(a) * weights->x;
    for (int k = 0; k < x.rows(); ++k) y.x[block.columns[static_cast<std::size_t>(k)]] = x[k];
  }
  for (const Elimination::Pivot& p : e.pivots()) {
    if (p.block >= 0) continue;
    std::vector<Expr> terms{left(p.row, A.columns())};
    for (int k = 0; k < A.columns(); ++k) {
      if (k != p.column) terms.push_back(-left(p.row, k) * y.x[k]);
    }
    y.x[p.column] = sum(terms);
  }
  return y;
}

}  // namespace rattleback
