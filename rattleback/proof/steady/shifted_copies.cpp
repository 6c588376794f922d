#include <rattleback/proof/steady/shifted_copies.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_angles = search_limits::shifted_angles.count;

/// Every choice of −1, 0, 1, in the order of counting.
template <class Visit>
void visit_signs(std::size_t count, Visit visit) {
  std::vector<int> c(count, -1);
  while (true) {
    visit(c);
    std::size_t k = 0;
    while (k < count && c[k] == 1) c[k++] = -1;
    if (k == count) return;
    ++c[k];
  }
}

/// The directions as columns, in the order of the angles.
Matrix as_columns(const std::vector<SymbolMap>& turns, const std::vector<Symbol>& angles) {
  Matrix m(static_cast<int>(angles.size()), static_cast<int>(turns.size()));
  for (int j = 0; j < m.columns(); ++j) {
    for (int i = 0; i < m.rows(); ++i)
      m(i, j) = turns[static_cast<std::size_t>(j)].at(angles[static_cast<std::size_t>(i)]);
  }
  return m;
}

}  // namespace

std::vector<SymbolMap> common_turns(std::span<const Expr> equations, const std::vector<Symbol>& angles) {
  std::vector<SymbolMap> found;
  if (angles.size() < 2 || angles.size() > most_angles) return found;
  visit_signs(angles.size(), [&](const std::vector<int>& c) {
    const auto first = std::ranges::find_if(c, [](int x) { return x != 0; });
    if (first == c.end() || *first < 0) return;  // nothing, or the opposite of another one
    SymbolMap turn;
    for (std::size_t k = 0; k < c.size(); ++k) turn.emplace(angles[k], Expr(c[k]));
    std::vector<SymbolMap> more = found;
    more.push_back(turn);
    if (rank(as_columns(more, angles)) < static_cast<int>(more.size())) return;
    const std::vector<Expr> changes = derivative_along(equations, turn);
    if (std::ranges::all_of(changes, [](Expr e) { return vanishes_at_random_points(e); })) found = more;
  });
  return found;
}

bool differ_by_turns(const SymbolMap& a, const SymbolMap& b, const std::vector<Symbol>& angles,
                     const std::vector<SymbolMap>& turns) {
  if (turns.empty()) return false;
  const Matrix span = as_columns(turns, angles);
  bool found = false;
  visit_signs(angles.size(), [&](const std::vector<int>& whole) {
    if (found) return;
    Matrix difference(span.rows(), 1);
    for (std::size_t k = 0; k < angles.size(); ++k)
      difference[static_cast<int>(k)] = a.at(angles[k]) - b.at(angles[k]) + 2 * whole[k] * pi();
    found = rank(beside(span, difference)) == span.columns();
  });
  return found;
}

}  // namespace rattleback
