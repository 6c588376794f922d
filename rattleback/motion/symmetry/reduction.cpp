#include <rattleback/motion/symmetry/reduction.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

std::vector<VectorField> fields_of(const std::vector<Generator>& group) {
  std::vector<VectorField> eta;
  for (const Generator& g : group) eta.push_back(g.field);
  return eta;
}

VectorField shortened(VectorField X) {
  for (int i = 0; i < X.space().dimension(); ++i) X[i] = short_form(X[i]);
  return X;
}

/// Fields x^a e_a for the columns x of a matrix.
std::vector<VectorField> combinations(const std::vector<VectorField>& e, const Matrix& x) {
  std::vector<VectorField> fields;
  for (int k = 0; k < x.columns(); ++k) {
    VectorField X(e.front().space());
    for (int a = 0; a < x.rows(); ++a) {
      if (!x(a, k).is_zero()) X = X + x(a, k) * e[static_cast<std::size_t>(a)];
    }
    fields.push_back(shortened(X));
  }
  return fields;
}

/// Of `more`, those that enlarge the span of `fields`, appended.
int append_independent(std::vector<VectorField>& fields, const std::vector<VectorField>& more) {
  if (more.empty()) return 0;
  std::vector<VectorField> all = fields;
  all.insert(all.end(), more.begin(), more.end());
  const std::vector<int> chosen = independent_columns(as_columns(more.front().space(), all));
  const std::size_t before = fields.size();
  for (const int k : chosen) {
    if (k >= static_cast<int>(before)) fields.push_back(all[static_cast<std::size_t>(k)]);
  }
  return static_cast<int>(fields.size() - before);
}

/// Invariant fields that span V: the columns of the generators in an invariant frame, brought into echelon form.
std::vector<VectorField> vertical_fields(const std::vector<VectorField>& Z,
                                         const std::vector<VectorField>& eta) {
  const Space& space = Z.front().space();
  const Matrix generators = as_columns(space, eta), frame = as_columns(space, Z);
  const std::vector<int> orbit = independent_columns(generators);
  if (static_cast<int>(orbit.size()) == space.dimension()) return Z;
  const Matrix annihilator = transpose(left_kernel(columns_of(generators, orbit)).basis) * frame;
  return combinations(Z, invariant_kernel(annihilator, eta));
}

/// Names v^α for the adapted speeds: those of D where they are the same.
void name_speeds(const System& system, AdaptedFrame& e, const Admissible& D, const Matrix& change) {
  const std::vector<Expr> z(D.speeds.begin(), D.speeds.end());
  const auto solved = solve(change, Matrix::column(z));
  SymbolMap definitions;
  const auto own = D.space.velocities();
  for (int a = 0; a < D.rank(); ++a) {
    const Symbol z_a = D.speeds[static_cast<std::size_t>(a)];
    const bool is_own = std::find(own.begin(), own.end(), z_a) != own.end();
    definitions.emplace(z_a, is_own ? Expr(z_a) : D.definitions[static_cast<std::size_t>(a)]);
  }
  int invented = 0;
  for (int a = 0; a < e.rank(); ++a) {
    const Expr v = short_form(solved->x[a]);
    if (v.is(Kind::symbol)) {
      e.speeds.push_back(v.symbol());
    } else {
      ++invented;
      e.speeds.push_back(invented_symbol(system, fmt::format("v{}", invented),
                                         {.role = Role::velocity, .order = 100 + invented}));
    }
    e.definitions.push_back(substitute(v, definitions));
  }
}

AdaptedFrame adapted_frame(const System& system, const std::vector<VectorField>& Z,
                           const std::vector<VectorField>& eta, const Admissible& D) {
  const Space& space = system.space;
  std::vector<VectorField> legs_of_D;
  for (int a = 0; a < D.rank(); ++a) legs_of_D.push_back(D.leg(a));
  const std::vector<VectorField> vertical = vertical_fields(Z, eta);
  // S = D ∩ V: the s with (annihilator of V) Ψ s = 0.
  const Matrix V = as_columns(space, vertical);
  Matrix s = Matrix::identity(D.rank());
  if (V.columns() < space.dimension()) {
    const Matrix outside = transpose(left_kernel(V).basis) * D.psi;
    s = invariant_kernel(outside, eta);
  }
  AdaptedFrame e;
  e.rho = s.columns();
  Matrix change(D.rank(), D.rank());
  const Matrix both = beside(s, Matrix::identity(D.rank()));
  const std::vector<int> kept = independent_columns(both);
  for (int a = 0; a < D.rank(); ++a) {
    for (int b = 0; b < D.rank(); ++b) change(b, a) = both(b, kept[static_cast<std::size_t>(a)]);
  }
  e.legs = combinations(legs_of_D, change);
  e.kappa = D.rank() - e.rho;
  e.c = append_independent(e.legs, vertical);
  e.k = append_independent(e.legs, Z);
  name_speeds(system, e, D, change);
  return e;
}

ReducedKind reduced_kind(int n, int rank_of_D, const AdaptedFrame& e, int orbit) {
  if (rank_of_D == n) return orbit == n ? ReducedKind::euler_poincare : ReducedKind::lagrange_poincare;
  if (orbit == n) return ReducedKind::left_invariant;
  if (e.rho == 0 && e.k == 0) return ReducedKind::purely_kinematic;
  if (e.c == 0) return ReducedKind::horizontal;
  return ReducedKind::general;
}

/// v^i = y^i + Σ v^α X_α^i in the adapted speeds.
SymbolMap velocities_in(const Space& space, const AdaptedFrame& e, const Matrix& drift) {
  SymbolMap psi;
  for (int i = 0; i < space.dimension(); ++i) {
    std::vector<Expr> terms{drift[i]};
    for (int a = 0; a < e.rank(); ++a)
      terms.push_back(e.speeds[static_cast<std::size_t>(a)] * e.legs[static_cast<std::size_t>(a)][i]);
    psi.emplace(space.velocities()[static_cast<std::size_t>(i)], sum(terms));
  }
  return psi;
}

/// Components of [X_α, X_β] in the adapted frame.
StructureCoefficients brackets_of(const Space& space, const AdaptedFrame& e) {
  const Matrix frame = as_columns(space, e.legs);
  std::vector<VectorField> brackets;
  for (int a = 0; a < e.rank(); ++a) {
    for (int b = a + 1; b < e.rank(); ++b)
      brackets.push_back(bracket(e.legs[static_cast<std::size_t>(a)], e.legs[static_cast<std::size_t>(b)]));
  }
  StructureCoefficients c(space.dimension());
  if (brackets.empty()) return c;
  const auto solved = solve(frame, as_columns(space, brackets));
  int column = 0;
  for (int a = 0; a < e.rank(); ++a) {
    for (int b = a + 1; b < e.rank(); ++b, ++column) {
      for (int m = 0; m < space.dimension(); ++m) c.set(a, b, m, short_form(solved->x(m, column)));
    }
  }
  return c;
}

/// Components of [X_α, y] in the adapted frame, column by column.
Matrix drift_brackets(const Space& space, const AdaptedFrame& e, const Matrix& drift) {
  const VectorField y(space, {drift.entries().begin(), drift.entries().end()});
  std::vector<VectorField> brackets;
  for (int a = 0; a < e.rank(); ++a) brackets.push_back(bracket(e.legs[static_cast<std::size_t>(a)], y));
  Matrix c(space.dimension(), e.rank());
  const auto moves = drift.entries();
  if (brackets.empty() || std::all_of(moves.begin(), moves.end(), [](Expr d) { return d.is_zero(); }))
    return c;
  const auto solved = solve(as_columns(space, e.legs), as_columns(space, brackets));
  for (int m = 0; m < c.rows(); ++m) {
    for (int a = 0; a < c.columns(); ++a) c(m, a) = short_form(solved->x(m, a));
  }
  return c;
}

std::string name_of_algebra(const System& system, const std::vector<Generator>& group) {
  const std::string name = algebra_of(system, "", group, for_a_derivation).name;
  return name.empty() ? fmt::format("an algebra of dimension {}", group.size()) : name;
}

}  // namespace

std::string name_of(ReducedKind kind) {
  switch (kind) {
    case ReducedKind::euler_poincare:
      return "Euler-Poincare: no constraints, and the group acts transitively";
    case ReducedKind::lagrange_poincare: return "Lagrange-Poincare: no constraints";
    case ReducedKind::left_invariant: return "LL system: the group acts transitively (Euler-Poincare-Suslov)";
    case ReducedKind::purely_kinematic: return "purely kinematic: a generalised Chaplygin system";
    case ReducedKind::horizontal: return "horizontal symmetries: all of them are admissible velocities";
    case ReducedKind::general: return "general case: momenta and shape together";
  }
  throw Bug("a kind of reduction without a name");
}

std::optional<Reduction> reduction_by(const System& system, const std::vector<Generator>& group) {
  const std::vector<VectorField> eta = fields_of(group);
  if (eta.empty()) return std::nullopt;
  auto D = invariant_velocities(system, eta);
  if (!D) return std::nullopt;
  std::vector<VectorField> legs;
  for (int a = 0; a < D->rank(); ++a) legs.push_back(D->leg(a));
  const auto Z = invariant_frame(system, eta, legs);
  if (!Z) return std::nullopt;

  Reduction r;
  r.group = group;
  r.algebra = name_of_algebra(system, group);
  r.orbit = rank(as_columns(system.space, eta));
  r.frame = adapted_frame(system, *Z, eta, *D);
  r.D = std::move(*D);
  r.spans = r.frame.k == 0;
  r.kind = reduced_kind(system.space.dimension(), r.D.rank(), r.frame, r.orbit);
  const SymbolMap psi = velocities_in(system.space, r.frame, r.D.drift);
  r.lagrangian = short_form(substitute(system.lagrangian, psi));
  const Matrix p = Matrix::column(momenta_on(system, psi));
  for (const VectorField& X : r.frame.legs)
    r.momenta.push_back(short_form(dot(p, Matrix::column(X.coefficients()))));
  r.c = brackets_of(system.space, r.frame);
  r.drift = drift_brackets(system.space, r.frame, r.D.drift);
  return r;
}

Reduction reduction(const System& system) {
  const auto refuse = [](const std::string& why, const std::string& fix) {
    throw Inapplicable("form-does-not-apply", "there is no reduction by symmetry", why, fix);
  };
  try {
    const Admissible D = admissible_velocities(system);
    const auto moves = [&](Expr e) { return contains(e, system.time); };
    if (std::any_of(D.psi.entries().begin(), D.psi.entries().end(), moves) ||
        std::any_of(D.drift.entries().begin(), D.drift.entries().end(), moves))
      refuse("the constraints depend on time", "use `hamel` or `voronets`");
  } catch (const NonlinearConstraint& error) {
    throw needs_linear_constraints(error);
  }
  std::vector<std::vector<Generator>> groups;
  std::vector<Generator> together;
  for (const Symmetry& s : system.symmetries) {
    std::vector<Generator> proved_ones;
    for (const Generator& g : s.generators) {
      if (proved(is_symmetry(system, g.field, for_a_derivation))) proved_ones.push_back(g);
    }
    together.insert(together.end(), proved_ones.begin(), proved_ones.end());
    groups.push_back(std::move(proved_ones));
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  groups.insert(groups.begin(), together);
  if (together.empty()) groups = {found_symmetries(system, for_a_derivation).generators};
  for (const std::vector<Generator>& group : groups) {
    if (auto r = reduction_by(system, group)) return *r;
  }
  if (std::all_of(groups.begin(), groups.end(), [](const auto& g) { return g.empty(); }))
    refuse("no symmetry was declared or found", "give generators in [symmetry]");
  refuse("no invariant frame was found", "name a smaller group in [symmetry], one that acts freely");
  throw Bug("unreachable");
}

std::vector<Expr> momentum_rates(const System& system, const Reduction& r) {
  const AdaptedFrame& e = r.frame;
  const std::vector<Expr> Q = forces_on(system, velocities_in(system.space, e, r.D.drift));
  std::vector<Expr> rates;
  for (int a = 0; a < e.rank(); ++a) {
    const VectorField& X = e.legs[static_cast<std::size_t>(a)];
    std::vector<Expr> terms{dot(Matrix::column(Q), Matrix::column(X.coefficients()))};
    if (a >= e.rho) terms.push_back(X(r.lagrangian));  // l_c does not change along the orbits
    for (int m = 0; m < system.space.dimension(); ++m)
      terms.push_back(-r.drift(m, a) * r.momenta[static_cast<std::size_t>(m)]);
    for (int b = 0; b < e.rank(); ++b) {
      for (int m = 0; m < system.space.dimension(); ++m) {
        if (!r.c(a, b, m).is_zero())
          terms.push_back(-r.c(a, b, m) * e.speeds[static_cast<std::size_t>(b)] *
                          r.momenta[static_cast<std::size_t>(m)]);
      }
    }
    rates.push_back(sum(terms));
  }
  return rates;
}

}  // namespace rattleback
