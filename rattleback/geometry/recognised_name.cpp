// Declared in geometry/named_algebras.hpp. Names of real Lie algebras by invariants: dimensions of series, centre, Killing form, and in dimension three the
/// action on the derived algebra (Bianchi's list).
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/conditions/definiteness.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/geometry/named_algebras.hpp>

namespace rattleback {
namespace {

/// The number of positive and negative squares of the Killing form; nothing when parameters hide a sign.
struct Signature {
  int positive = 0, negative = 0;
};
std::optional<Signature> killing_signature(const LieAlgebra& g) {
  const Matrix kappa = killing_form(g);
  // A zero diagonal hides pivots (sl(2) in the basis h, e, f); a congruence with a triangular matrix shows them.
  Matrix shear = Matrix::identity(g.dimension());
  for (int i = 0; i < g.dimension(); ++i) {
    for (int j = i + 1; j < g.dimension(); ++j) shear(i, j) = (i + 1) * (j + 2) % 5 - 2;
  }
  Signature s;
  for (const Expr p : definiteness(transpose(shear) * kappa * shear).pivots) {
    switch (known_sign(p)) {
      case KnownSign::positive: ++s.positive; break;
      case KnownSign::negative: ++s.negative; break;
      default: return std::nullopt;
    }
  }
  return s;
}

std::string simple_dimension_3(const LieAlgebra& g) {
  const auto s = killing_signature(g);
  if (!s) return "so(3) or sl(2), depending on the parameters";
  return s->negative == 3 ? "so(3)" : "sl(2)";
}

/// ad_x on the derived algebra, for x outside it: g = R ⋉ R² is determined by this 2×2 matrix up to scale.
Matrix action_on_derived(const LieAlgebra& g, const Matrix& derived) {
  Matrix x(3, 1);
  for (int a = 0; a < 3; ++a) {
    if (rank(beside(derived, unit_vector(a))) == 3) x = unit_vector(a);
  }
  return solve(derived, ad(g, x) * derived)->x;
}

std::string semidirect_name(const Matrix& m) {
  const Expr trace = m(0, 0) + m(1, 1), det = determinant(m);
  const auto zero = [](Expr e) { return vanishes_at_random_points(e); };
  const Expr discriminant = canonical(pow(trace, 2) - 4 * det);
  if (zero(m(0, 1)) && zero(m(1, 0)) && zero(m(0, 0) - m(1, 1))) return "Bianchi V";
  if (zero(discriminant)) return "Bianchi IV";
  const KnownSign sign = known_sign(discriminant);
  if (sign != KnownSign::positive && sign != KnownSign::negative)
    return "a solvable algebra R + R^2 that depends on the parameters";
  const bool rotates = sign == KnownSign::negative;
  if (zero(trace)) return rotates ? "se(2)" : "se(1,1)";
  return rotates ? "Bianchi VII_h" : "Bianchi VI_h";
}

std::string name_in_dimension_3(const LieAlgebra& g) {
  const Matrix derived = bracket_of_subspaces(g, Matrix::identity(3), Matrix::identity(3));
  switch (derived.columns()) {
    case 3: return simple_dimension_3(g);
    case 2: return semidirect_name(action_on_derived(g, derived));
    default: return lower_central_series(g).back() == 0 ? "heis(3)" : "aff(1) + R";
  }
}

std::string name_in_dimension_4(const LieAlgebra& g) {
  if (derived_series(g) != std::vector{4, 3} || centre(g).columns() != 1) return {};
  const auto s = killing_signature(g);
  if (!s || s->positive + s->negative != 3) return {};
  return s->negative == 3 ? "so(3) + R" : "gl(2)";
}

/// Semisimple: the signature of the Killing form tells the four real forms apart. se(3) is perfect with a Levi
/// factor so(3), which can act on a radical of dimension 3 in one way only.
std::string name_in_dimension_6(const LieAlgebra& g) {
  if (derived_series(g).size() != 1) return {};
  const auto s = killing_signature(g);
  if (!s) return {};
  if (s->positive == 0 && s->negative == 6) return "so(4)";
  if (s->positive == 0 && s->negative == 3) return "se(3)";
  if (s->positive == 3 && s->negative == 3) return "so(3,1)";
  if (s->positive == 4 && s->negative == 2) return "sl(2) + sl(2)";
  if (s->positive == 2 && s->negative == 4) return "so(3) + sl(2)";
  return {};
}

std::string description(const LieAlgebra& g) {
  const bool nilpotent = lower_central_series(g).back() == 0, solvable = derived_series(g).back() == 0;
  return std::string(nilpotent  ? "a nilpotent"
                     : solvable ? "a solvable"
                                : "a Lie") +
         " algebra of dimension " + std::to_string(g.dimension());
}

/// Basis elements that belong together: those that a bracket connects. The algebra is the direct sum of their spans.
std::vector<std::vector<int>> summands(const StructureCoefficients& c) {
  const int n = c.dimension();
  std::vector<int> part(static_cast<std::size_t>(n));
  for (int a = 0; a < n; ++a) part[static_cast<std::size_t>(a)] = a;
  const auto join = [&](int a, int b) {
    const int from = part[static_cast<std::size_t>(a)], to = part[static_cast<std::size_t>(b)];
    std::replace(part.begin(), part.end(), from, to);
  };
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      for (int d = 0; d < n; ++d) {
        if (c(a, b, d).is_zero()) continue;
        join(a, b);
        join(a, d);
      }
    }
  }
  std::vector<std::vector<int>> sets;
  for (int k = 0; k < n; ++k) {
    std::vector<int> members;
    for (int a = 0; a < n; ++a) {
      if (part[static_cast<std::size_t>(a)] == k) members.push_back(a);
    }
    if (!members.empty()) sets.push_back(std::move(members));
  }
  return sets;
}

LieAlgebra part_of(const LieAlgebra& g, const std::vector<int>& members) {
  const int m = static_cast<int>(members.size());
  StructureCoefficients c(m);
  std::vector<std::string> basis;
  for (int a = 0; a < m; ++a) {
    basis.push_back(g.basis()[static_cast<std::size_t>(members[static_cast<std::size_t>(a)])]);
    for (int b = 0; b < m; ++b) {
      for (int d = 0; d < m; ++d)
        c(a, b, d) = g.c(members[static_cast<std::size_t>(a)], members[static_cast<std::size_t>(b)],
                         members[static_cast<std::size_t>(d)]);
    }
  }
  return {basis, c};
}

/// In a basis whose first elements span [g, g] and whose last are central outside it: g = h + R^k shows.
LieAlgebra adapted_to_centre(const LieAlgebra& g) {
  const int n = g.dimension();
  const Matrix all = Matrix::identity(n), derived = bracket_of_subspaces(g, all, all), z = centre(g);
  Matrix chosen = derived;
  std::vector<int> central;
  for (int k = 0; k < z.columns(); ++k) {
    const Matrix more = beside(chosen, z.column(k));
    if (rank(more) == more.columns()) {
      chosen = more;
      central.push_back(more.columns() - 1);
    }
  }
  if (central.empty()) return g;
  for (int a = 0; a < n; ++a) {
    const Matrix more = beside(chosen, all.column(a));
    if (rank(more) == more.columns()) chosen = more;
  }
  StructureCoefficients c(n);
  for (int a = 0; a < n; ++a) {
    for (int b = a + 1; b < n; ++b) {
      const auto x = solve(chosen, bracket(g, chosen.column(a), chosen.column(b)));
      for (int d = 0; x && d < n; ++d) c.set(a, b, d, canonical(x->x[d]));
    }
  }
  return {g.basis(), c};
}

/// "so(3) + se(2) + R^2" from the names of the summands.
std::string name_of_sum(const LieAlgebra& g, const std::vector<std::vector<int>>& sets) {
  std::vector<std::string> names;
  int flat = 0;
  for (const std::vector<int>& members : sets) {
    if (members.size() == 1) {
      ++flat;
    } else {
      names.push_back(recognised_name(part_of(g, members)));
    }
  }
  std::sort(names.begin(), names.end(), std::greater<>());
  if (flat > 0) names.push_back(flat == 1 ? "R" : fmt::format("R^{}", flat));
  const bool all_known =
      std::none_of(names.begin(), names.end(), [](const std::string& s) { return s.starts_with("a "); });
  return all_known ? fmt::format("{}", fmt::join(names, " + ")) : std::string();
}

}  // namespace

std::string recognised_name(const LieAlgebra& g) {
  const int n = g.dimension();
  if (derived_series(g) == std::vector{n, 0}) {
    return n == 1 ? "R" : "R^" + std::to_string(n);
  }
  std::string name;
  if (n == 2) name = "aff(1)";
  if (n == 3) name = name_in_dimension_3(g);
  if (n == 4) name = name_in_dimension_4(g);
  if (n == 6) name = name_in_dimension_6(g);
  if (!name.empty()) return name;
  const LieAlgebra h = adapted_to_centre(g);
  const auto sets = summands(h.c());
  if (sets.size() > 1) name = name_of_sum(h, sets);
  return name.empty() ? description(g) : name;
}

}  // namespace rattleback
