/// Names of real Lie algebras by invariants: dimensions of series, centre, Killing form, and in dimension three the
/// action on the derived algebra (Bianchi's list).
#include <rattleback/algebra/definiteness.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
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
  return name.empty() ? description(g) : name;
}

}  // namespace rattleback
