#include <rattleback/algebra/solving/normal_gram.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/modular/variety_points.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {

namespace {

int rank_of(const Matrix& m) { return m.columns() == 0 ? 0 : rank(m).value; }

/// X_i φ_s over the legs that `takes` takes.
template <class Takes>
Matrix slopes_along(std::span<const Expr> relations, std::span<const SymbolMap> legs, const Takes& takes) {
  Matrix a(static_cast<int>(relations.size()), 0);
  for (const SymbolMap& leg : legs) {
    if (takes(leg)) a = beside(a, Matrix::column(derivative_along(relations, leg)));
  }
  return a;
}

/// The first rows that are independent.
std::vector<int> independent_rows(const Matrix& a) {
  const int full = rank_of(a);
  std::vector<int> independent;
  for (int s = 0; s < a.rows() && static_cast<int>(independent.size()) < full; ++s) {
    independent.push_back(s);
    if (rank_of(rows_of(a, independent)) < static_cast<int>(independent.size())) independent.pop_back();
  }
  return independent;
}

}  // namespace

std::vector<Expr> independent_relations(std::span<const Expr> relations, std::span<const SymbolMap> legs) {
  std::vector<Expr> found;
  const auto variety = variety_of({relations.begin(), relations.end()});
  if (!variety) return found;
  const OnVariety here(variety);
  for (const int s : independent_rows(slopes_along(relations, legs, [](const SymbolMap&) { return true; })))
    found.push_back(relations[static_cast<std::size_t>(s)]);
  return found;
}

Expr normal_gram(std::span<const Expr> relations, std::span<const SymbolMap> legs) {
  const auto variety = variety_of({relations.begin(), relations.end()});
  if (!variety) return Expr(1);
  const OnVariety here(variety);
  const auto moves_lines = [&](const SymbolMap& leg) {
    return std::ranges::any_of(leg, [&](const auto& image) {
      return image.first.role() == Role::coordinate && !image.second.is_zero() &&
             !variety->is_angle(image.first);
    });
  };
  const std::vector<Expr> independent = independent_relations(relations, legs);
  Matrix a = slopes_along(independent, legs, moves_lines);
  if (rank_of(a) < static_cast<int>(independent.size()))
    a = slopes_along(independent, legs, [](const SymbolMap&) { return true; });
  return canonical(determinant(a * transpose(a)));
}

Expr normal_spreading(std::span<const Expr> relations, std::span<const SymbolMap> legs,
                      const SymbolMap& rates) {
  const auto variety = variety_of({relations.begin(), relations.end()});
  if (!variety) return Expr(0);
  const std::vector<Expr> independent = independent_relations(relations, legs);
  const std::vector<Expr> changes = derivative_along(independent, rates);
  {
    const InAmbientSpace beside_N;
    if (std::ranges::all_of(changes, [](Expr e) { return vanishes_at_random_points(e); })) return Expr(0);
  }
  const OnVariety here(variety);
  const auto everywhere = [](const SymbolMap&) { return true; };
  const Matrix a = slopes_along(independent, legs, everywhere), b = slopes_along(changes, legs, everywhere);
  const auto lambda = solve(a * transpose(a), a * transpose(b));
  if (!lambda) throw Singular("singular-matrix", "the slopes of the position constraints are dependent");
  std::vector<Expr> terms{Expr(0)};
  for (int s = 0; s < lambda->x.rows(); ++s) terms.push_back(lambda->x(s, s));
  return sum(terms);
}

}  // namespace rattleback
