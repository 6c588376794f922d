#include <rattleback/proof/hamiltonian/subgroups.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/proof/evidence/parameter_locus.hpp>

namespace rattleback {
namespace {

/// Cells with more unknowns are not taken apart.
constexpr std::size_t most_unknowns = search_limits::unknowns_of_a_subgroup.count;

/// The reduced echelon basis with these pivots: rows h_r over the generators.
Matrix echelon_basis(const std::vector<int>& pivots, int n, std::vector<Symbol>& unknowns) {
  const int k = static_cast<int>(pivots.size());
  Matrix h(k, n);
  for (int r = 0; r < k; ++r) {
    const int pivot = pivots[static_cast<std::size_t>(r)];
    h(r, pivot) = 1;
    for (int i = pivot + 1; i < n; ++i) {
      if (std::find(pivots.begin(), pivots.end(), i) != pivots.end()) continue;
      const int order = static_cast<int>(unknowns.size());
      unknowns.push_back(
          Symbol::make(fmt::format("subgroup_c{}", order + 1), {.role = Role::parameter, .order = order}));
      h(r, i) = unknowns.back();
    }
  }
  return h;
}

/// [h_r, h_s]^i = c_ab^i h_r^a h_s^b.
std::vector<Expr> bracket_of_rows(const StructureCoefficients& c, const Matrix& h, int r, int s) {
  std::vector<Expr> z;
  for (int i = 0; i < c.dimension(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int a = 0; a < c.dimension(); ++a) {
      for (int b = 0; b < c.dimension(); ++b) {
        if (!c(a, b, i).is_zero()) terms.push_back(c(a, b, i) * h(r, a) * h(s, b));
      }
    }
    z.push_back(sum(terms));
  }
  return z;
}

std::vector<Expr> closure_conditions(const StructureCoefficients& c, const Matrix& h,
                                     const std::vector<int>& pivots) {
  std::vector<Expr> conditions;
  for (int r = 0; r < h.rows(); ++r) {
    for (int s = r + 1; s < h.rows(); ++s) {
      const std::vector<Expr> z = bracket_of_rows(c, h, r, s);
      for (int i = 0; i < h.columns(); ++i) {
        std::vector<Expr> terms{z[static_cast<std::size_t>(i)]};
        for (int p = 0; p < h.rows(); ++p)
          terms.push_back(-z[static_cast<std::size_t>(pivots[static_cast<std::size_t>(p)])] * h(p, i));
        if (const Expr e = short_form(sum(terms)); !e.is_zero()) conditions.push_back(e);
      }
    }
  }
  return conditions;
}

/// A generator under its own name, a combination as the field it is.
Generator combination(const std::vector<Generator>& eta, const Matrix& h, int r) {
  VectorField X(eta.front().field.space());
  int terms = 0, only = 0;
  for (int i = 0; i < h.columns(); ++i) {
    if (h(r, i).is_zero()) continue;
    X = X + h(r, i) * eta[static_cast<std::size_t>(i)].field;
    only = i;
    ++terms;
  }
  return {terms == 1 ? eta[static_cast<std::size_t>(only)].name : written(X), X, {}};
}

std::vector<Generator> at_values(const std::vector<Generator>& basis, const SymbolMap& values) {
  std::vector<Generator> some;
  for (const Generator& g : basis) {
    VectorField X = g.field;
    for (int i = 0; i < X.space().dimension(); ++i) X[i] = short_form(substitute(X[i], values));
    const bool changed = X.coefficients() != g.field.coefficients();
    some.push_back({changed ? written(X) : g.name, X, g.place});
  }
  return some;
}

/// Does the solution ask anything of the model's own parameters?
bool restricts_parameters(const SymbolMap& solution, const std::vector<Symbol>& unknowns) {
  return std::any_of(solution.begin(), solution.end(), [&](const auto& entry) {
    return std::find(unknowns.begin(), unknowns.end(), entry.first) == unknowns.end();
  });
}

bool only_of_parameters(const Locus& component, const std::vector<Symbol>& unknowns) {
  return std::any_of(component.begin(), component.end(), [&](Expr e) {
    return std::none_of(unknowns.begin(), unknowns.end(), [&](Symbol c) { return contains(e, c); });
  });
}

/// Unknowns that a solution leaves free, at 0 or at 1, whichever gives a complement of D.
std::optional<ChaplyginBundle> member(const System& system, const Admissible& D, const SubgroupCell& cell,
                                      const SymbolMap& solution) {
  for (const int value : {0, 1}) {
    SymbolMap values;
    for (const Symbol c : cell.unknowns) {
      if (!solution.contains(c)) values.emplace(c, Expr(value));
    }
    for (const auto& [c, e] : solution) values.emplace(c, substitute(e, values));
    if (auto bundle = chaplygin_bundle(system, D, at_values(cell.basis, values))) return bundle;
  }
  return std::nullopt;
}

}  // namespace

std::vector<SubgroupCell> subgroup_cells(const SymmetryAlgebra& g, int k) {
  std::vector<SubgroupCell> cells;
  const int n = static_cast<int>(g.generators.size());
  for (const std::vector<int>& pivots : subsets(n, k)) {
    SubgroupCell cell;
    const Matrix h = echelon_basis(pivots, n, cell.unknowns);
    for (int r = 0; r < k; ++r) cell.basis.push_back(combination(g.generators, h, r));
    cell.closure = closure_conditions(g.c, h, pivots);
    cells.push_back(std::move(cell));
  }
  return cells;
}

SubgroupSearch subgroup_search(const System& system, const Admissible& D,
                               const std::function<std::vector<Expr>(const ChaplyginBundle&)>& conditions) {
  const SymmetryAlgebra g = found_symmetries(system);
  const int k = system.space.dimension() - D.rank();
  SubgroupSearch search;
  search.dimension = static_cast<int>(g.generators.size());
  search.algebra = g.name;
  search.exhaustive = g.is_closed && g.complete;
  const auto drift = D.drift.entries();
  const bool linear =
      std::all_of(drift.begin(), drift.end(), [](Expr e) { return vanishes_at_random_points(e); });
  if (!g.is_closed || !linear || k == 0 || search.dimension < k) return search;
  for (const SubgroupCell& cell : subgroup_cells(g, k)) {
    if (cell.unknowns.size() > most_unknowns) {
      search.exhaustive = false;
      continue;
    }
    System with_unknowns = system;
    for (const Symbol c : cell.unknowns) with_unknowns.parameters.push_back({.symbol = c});
    const auto general = chaplygin_bundle(with_unknowns, D, cell.basis);
    if (!general) continue;  // rank drops under specialisation: no member complements D
    search.complements = true;
    std::vector<Expr> equations = cell.closure;
    for (const Expr e : conditions(*general)) {
      if (!vanishes_at_random_points(e)) equations.push_back(e);
    }
    if (equations.empty()) {
      if (auto bundle = member(system, D, cell, {})) search.bundles.push_back(std::move(*bundle));
      continue;
    }
    if (cell.unknowns.empty()) continue;
    const ParameterLocus locus = vanishing_locus(with_unknowns, equations);
    search.exhaustive = search.exhaustive && locus.complete;
    for (std::size_t i = 0; i < locus.components.size(); ++i) {
      if (only_of_parameters(locus.components[i], cell.unknowns)) continue;
      const SymbolMap& solution = locus.solutions[i];
      if (solution.empty() || restricts_parameters(solution, cell.unknowns)) {
        search.exhaustive = false;  // not solvable for the unknowns
        continue;
      }
      if (auto bundle = member(system, D, cell, solution)) search.bundles.push_back(std::move(*bundle));
    }
  }
  return search;
}

}  // namespace rattleback
