#include <rattleback/motion/symmetry/invariant_frame.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/fields/content.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/symmetry/symmetry_search.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

bool vanish(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

std::vector<VectorField> chosen(const std::vector<VectorField>& fields, const std::vector<int>& which) {
  std::vector<VectorField> some;
  for (const int k : which) some.push_back(fields[static_cast<std::size_t>(k)]);
  return some;
}

bool all_invariant(const Matrix& column, const std::vector<VectorField>& eta) {
  const auto entries = column.entries();
  return std::all_of(entries.begin(), entries.end(), [&](Expr e) { return is_invariant(e, eta); });
}

/// The kernel by pivots: x_pivot = −(m_pivots)⁻¹ m_free, each free unknown being 1 in turn.
Matrix echelon_kernel(const Matrix& m) {
  const std::vector<int> pivots = independent_columns(m);
  std::vector<int> free;
  for (int j = 0; j < m.columns(); ++j) {
    if (std::find(pivots.begin(), pivots.end(), j) == pivots.end()) free.push_back(j);
  }
  Matrix basis(m.columns(), static_cast<int>(free.size()));
  const auto solved = solve(columns_of(m, pivots), -columns_of(m, free));
  for (int f = 0; f < basis.columns(); ++f) {
    basis(free[static_cast<std::size_t>(f)], f) = 1;
    for (std::size_t p = 0; p < pivots.size(); ++p)
      basis(pivots[p], f) = short_form(solved->x(static_cast<int>(p), f));
  }
  return basis;
}

/// y = −M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹ b, the admissible velocity at right angles to D: what leaves the kinetic energy and the
/// constraints as they are leaves it as it is. Nothing when the metric depends on velocities or is singular.   (R.10)
std::optional<Matrix> orthogonal_drift(const System& system) {
  const auto v = system.space.velocities();
  const VelocityRows rows = independent_constraints(system);
  const Matrix M = jacobian(gradient(system.lagrangian, v), v);
  for (const Symbol s : v) {
    if (!vanish(derivative(M, s).entries())) return std::nullopt;
  }
  const auto raised = unique_solution(M, transpose(rows.a));
  if (!raised) return std::nullopt;
  const auto weights = unique_solution(rows.a * raised->x, -rows.b);
  if (!weights) return std::nullopt;
  Matrix y = raised->x * weights->x;
  for (Expr& e : y.entries()) e = short_form(e);
  return y;
}

}  // namespace

bool is_invariant(const VectorField& Z, const std::vector<VectorField>& eta) {
  return std::all_of(eta.begin(), eta.end(),
                     [&](const VectorField& X) { return vanish(bracket(X, Z).coefficients()); });
}

bool is_invariant(Expr f, const std::vector<VectorField>& eta) {
  return std::all_of(eta.begin(), eta.end(),
                     [&](const VectorField& X) { return vanishes_at_random_points(X(f)); });
}

std::optional<std::vector<VectorField>> invariant_frame(const System& system,
                                                        const std::vector<VectorField>& eta,
                                                        const std::vector<VectorField>& preferred) {
  const Space& space = system.space;
  const int n = space.dimension();
  std::vector<VectorField> candidates;
  for (const VectorField& X : preferred) {
    if (is_invariant(X, eta)) candidates.push_back(X);
  }
  for (int i = 0; i < n; ++i) {
    const VectorField X = VectorField::leg(space, i);
    if (is_invariant(X, eta)) candidates.push_back(X);
  }
  std::vector<int> independent;
  if (!candidates.empty()) independent = independent_columns(as_columns(space, candidates));
  for (const auto& ansatz : {field_ansatz, space_fixed_ansatz}) {
    if (static_cast<int>(independent.size()) == n) break;
    const FoundFields found = fields_satisfying(space, ansatz(space), {}, commuting_conditions(space, eta));
    candidates.insert(candidates.end(), found.fields.rbegin(), found.fields.rend());
    if (!candidates.empty()) independent = independent_columns(as_columns(space, candidates));
  }
  if (static_cast<int>(independent.size()) < n) return std::nullopt;
  return chosen(candidates, independent);
}

Matrix invariant_kernel(const Matrix& m, const std::vector<VectorField>& eta) {
  Matrix basis = kernel(m).basis;
  for (Expr& e : basis.entries()) e = short_form(e);
  bool invariant = true;
  for (int k = 0; k < basis.columns() && invariant; ++k) {
    if (all_invariant(basis.column(k), eta)) continue;
    const Matrix smaller = primitive(basis.column(k));
    invariant = all_invariant(smaller, eta);
    for (int i = 0; i < basis.rows(); ++i) basis(i, k) = smaller[i];
  }
  return invariant ? basis : echelon_kernel(m);
}

std::optional<Admissible> invariant_velocities(const System& system, const std::vector<VectorField>& eta) {
  Admissible D = admissible_velocities(system);
  std::vector<VectorField> legs;
  for (int a = 0; a < D.rank(); ++a) legs.push_back(D.leg(a));
  const bool still =
      std::all_of(legs.begin(), legs.end(), [&](const VectorField& X) { return is_invariant(X, eta); });
  const VectorField y(system.space, {D.drift.entries().begin(), D.drift.entries().end()});
  if (still && is_invariant(y, eta)) return D;
  const auto Z = invariant_frame(system, eta, legs);
  if (!Z) return std::nullopt;
  if (!vanish(D.drift.entries())) {
    const auto drift = orthogonal_drift(system);
    if (!drift) return std::nullopt;
    D.drift = *drift;
  }
  const Matrix frame = as_columns(system.space, *Z), A = independent_constraints(system).a;
  const Matrix basis = A.rows() == 0 ? Matrix::identity(frame.columns()) : invariant_kernel(A * frame, eta);
  D.psi = frame * basis;
  for (Expr& e : D.psi.entries()) e = short_form(e);
  D.speeds.clear();
  D.definitions.clear();
  const std::vector<int> rows = independent_rows(D.psi);
  std::vector<Expr> v;
  for (const int i : rows)
    v.push_back(Expr(system.space.velocities()[static_cast<std::size_t>(i)]) - D.drift[i]);
  const auto z = solve(rows_of(D.psi, rows), Matrix::column(v));
  for (int a = 0; a < D.psi.columns(); ++a) {
    const Expr definition = short_form(z->x[a]);
    D.definitions.push_back(definition);
    D.speeds.push_back(definition.is(Kind::symbol) ? definition.symbol()
                                                   : invented_symbol(system, fmt::format("u{}", a + 1),
                                                                     {.role = Role::velocity, .order = a}));
  }
  D.where = z->where;
  return D;
}

std::vector<Generator> symmetry_group(const System& system) {
  std::vector<Generator> group;
  for (const Symmetry& s : system.symmetries) {
    for (const Generator& g : s.generators) {
      if (proved(is_symmetry(system, g.field, for_a_derivation))) group.push_back(g);
    }
  }
  if (group.empty()) group = found_symmetries(system, for_a_derivation).generators;
  return group;
}

}  // namespace rattleback
