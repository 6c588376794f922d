#include <rattleback/algebra/solving/principal_minors.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/modular/shadow.hpp>
#include <rattleback/algebra/solving/minors.hpp>

namespace rattleback {
namespace {

/// Those of all subsets of the rows, the empty one included.
std::vector<Shadow> principal_minors(const ShadowMatrix& shadows, int n) {
  const auto entry = [&](int i, int j) { return shadows(i * n + j, 0); };
  std::vector<Shadow> all;
  for (int k = 0; k <= n; ++k) {
    for (const std::vector<int>& rows : subsets(n, k)) all.push_back(minor<Shadow>(entry, rows, rows));
  }
  return all;
}

bool is_number(Shadow s) { return s.at[0] == s.at[1]; }

bool is_made_of(Shadow e, const std::vector<Shadow>& minors) {
  if (e.has_zero()) return false;
  return std::ranges::any_of(minors, [&](Shadow above) {
    return std::ranges::any_of(
        minors, [&](Shadow other) { return is_number(e / (above * other)) || is_number(e * other / above); });
  });
}

}  // namespace

std::vector<bool> are_made_of_principal_minors(const Matrix& G, std::span<const Expr> es) {
  constexpr int large = search_limits::principal_minors.count;
  std::vector<bool> found(es.size(), false);
  const int n = G.rows();
  if (n == 0 || n >= large) return found;
  std::vector<Expr> all(G.entries().begin(), G.entries().end());
  all.insert(all.end(), es.begin(), es.end());
  try {
    const ShadowMatrix shadows(Matrix::column(all));
    const std::vector<Shadow> minors = principal_minors(shadows, n);
    if (std::ranges::any_of(minors, &Shadow::has_zero)) return found;
    for (std::size_t k = 0; k < es.size(); ++k)
      found[k] = is_made_of(shadows(n * n + static_cast<int>(k), 0), minors);
  } catch (const Exhausted&) {  // no point was found
  }
  return found;
}

}  // namespace rattleback
