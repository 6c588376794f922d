#include <rattleback/view/vectors/attitude_vector.hpp>

#include <array>
#include <unordered_set>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

/// Orthonormal matrices with row k = n; n a rational unit vector with a zero component.
Matrix attitude_with_row(int k, const Matrix& n) {
  int zero = 0;
  while (zero < 2 && !n[zero].is_zero()) ++zero;
  const Matrix next = unit_vector(zero), last = cross(n, next);
  Matrix B(3, 3);
  for (int j = 0; j < 3; ++j) {
    B(k, j) = n[j];
    B((k + 1) % 3, j) = next[j];
    B((k + 2) % 3, j) = last[j];
  }
  return B;
}

/// Square roots within m that move with the attitude.
std::vector<Expr> roots_in(const BodyMotion& body, const Matrix& m) {
  std::vector<Expr> roots, open(m.entries().begin(), m.entries().end());
  std::unordered_set<std::uint32_t> seen;
  const auto moves = [&](Expr e) {
    return std::ranges::any_of(body.B.entries(), [&](Expr b) { return contains(e, b.symbol()); });
  };
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e.id()).second) continue;
    if (e.is(Kind::call) && e.function().kind() == Builtin::sqrt && moves(e)) roots.push_back(e);
    if (!e.is(Kind::constant) && !e.is(Kind::symbol))
      open.insert(open.end(), e.args().begin(), e.args().end());
  }
  return roots;
}

/// E_ab w, a and b = 1, 2, 3: the columns of an unknown constant tensor, applied to w.
void add_tensor_columns(std::vector<Matrix>& columns, const Matrix& w) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) columns.push_back(w[b] * unit_vector(a));
}

/// m = (D γ)/s + c at simple attitudes: D and c from m(γ) and m(−γ), with an even s.
struct LinearShape {
  Matrix D = Matrix(3, 3), c = Matrix(3, 1);
};

class AttitudeProbe {
 public:
  AttitudeProbe(const System& system, const BodyMotion& body, int k) : system_(system), body_(body), k_(k) {}

  /// m where row k of B is n.
  std::optional<Matrix> at(const Matrix& m, const Matrix& n) const {
    return value_at(system_, body_, m, attitude_with_row(k_, n), Matrix(3, 1));
  }
  /// The tensor T with T γ = m for an odd m, from three directions: axes, or others where an axis is a pole.
  std::optional<LinearShape> linear(const Matrix& m, Expr s) const {
    const Rational three(3, 5), four(4, 5);
    const std::array<Matrix, 3> axes{unit_vector(0), unit_vector(1), unit_vector(2)};
    const std::array<Matrix, 3> slanted{Matrix::column(std::vector<Expr>{three, four, 0}),
                                        Matrix::column(std::vector<Expr>{0, three, four}),
                                        Matrix::column(std::vector<Expr>{four, 0, three})};
    for (const auto& directions : {axes, slanted}) {
      LinearShape shape;
      Matrix images(3, 3), originals(3, 3);
      bool complete = true;
      for (int j = 0; j < 3 && complete; ++j) {
        const Matrix& n = directions[static_cast<std::size_t>(j)];
        const auto there = at(m, n), opposite = at(m, -n), root = at(Matrix{{s}}, n);
        complete = there && opposite && root;
        if (!complete) break;
        const Expr half(Rational(1, 2));
        const Matrix odd = short_form(half * (*root)[0] * (*there - *opposite));
        if (j == 0) shape.c = short_form(half * (*there + *opposite));
        for (int i = 0; i < 3; ++i) {
          images(i, j) = odd[i];
          originals(i, j) = n[i];
        }
      }
      if (!complete) continue;
      shape.D = short_form(images * inverse(originals).x);
      return shape;
    }
    return std::nullopt;
  }
  /// The symmetric D with ⟨γ, D γ⟩ = q.
  std::optional<Matrix> quadratic(Expr q) const {
    Matrix D(3, 3);
    for (int j = 0; j < 3; ++j) {
      const auto there = at(Matrix{{q}}, unit_vector(j));
      if (!there) return std::nullopt;
      D(j, j) = (*there)[0];
    }
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const Expr three = Rational(3, 5), four = Rational(4, 5);
      const auto there = at(Matrix{{q}}, three * unit_vector(i) + four * unit_vector(j));
      if (!there) return std::nullopt;
      const Expr mixed = ((*there)[0] - three * three * D(i, i) - four * four * D(j, j)) / (2 * three * four);
      D(i, j) = D(j, i) = short_form(mixed);
    }
    return D;
  }

 private:
  const System& system_;
  const BodyMotion& body_;
  int k_;
};

/// s when A = s D.
std::optional<Expr> ratio(const Matrix& A, const Matrix& D) {
  for (int i = 0; i < 9; ++i) {
    if (D[i].is_zero()) continue;
    const Expr s = short_form(A[i] / D[i]);
    return vanish_at_random_states(A - s * D) ? std::optional(s) : std::nullopt;
  }
  return std::nullopt;
}

/// k when D = 1 − e_k e_kᵀ.
std::optional<int> projection_along(const Matrix& D) {
  for (int k = 0; k < 3; ++k)
    if (D == Matrix::identity(3) - unit_vector(k) * transpose(unit_vector(k))) return k;
  return std::nullopt;
}

/// γ_k as a scalar, written gamma3.
CovariantTerm component(const CovariantTerm& gamma, int k) {
  return named_term(gamma.words.text + std::to_string(k + 1), Matrix{{gamma.value[k]}});
}

/// A formula in entries of B, written in components of γ.
CovariantTerm in_components(const CovariantTerm& gamma, Expr e) {
  SymbolMap names;
  for (int k = 0; k < 3; ++k)
    names.emplace(gamma.value[k].symbol(), symbol(gamma.words.text + std::to_string(k + 1)));
  CovariantTerm term = scalar_term(substitute(e, names));
  term.value = Matrix{{e}};
  return term;
}

/// s D γ/√⟨γ, D γ⟩, for a disk s (γ − γ_3 e_3)/√(1 − γ_3²).
CovariantTerm over_root(Expr s, const Matrix& D, const CovariantTerm& gamma, VectorNames& names) {
  if (const auto k = projection_along(D)) {
    const CovariantTerm g = component(gamma, *k);
    return quotient(scaled(s, sum_of({gamma, scaled(-1, scaled(g, unit_term(*k)))})),
                    in_components(gamma, sqrt(1 - pow(g.value[0], 2))));
  }
  const CovariantTerm Dgamma = names.applied_tensor(D, {"D", "E", "A"}, gamma);
  return quotient(scaled(s, Dgamma), root(dot(gamma, Dgamma)));
}

std::optional<CovariantTerm> with_root(const System& system, const BodyMotion& body,
                                       std::span<const Symbol> state, const Matrix& m, int k,
                                       const CovariantTerm& gamma, VectorNames& names) {
  for (const Expr s : roots_in(body, m)) {
    std::vector<Matrix> free{unit_vector(0), unit_vector(1), unit_vector(2)};
    add_tensor_columns(free, pow(s, -1) * gamma.value);
    const auto fit = shortest_fit(system, state, m, std::vector{gamma}, free);
    if (!fit) continue;
    Matrix rest = m;
    std::vector<CovariantTerm> terms;
    for (const auto& [j, c] : fit->terms) {
      terms.push_back(scaled(c, gamma));
      rest = rest - c * gamma.value;
    }
    const AttitudeProbe shape(system, body, k);
    const auto linear = shape.linear(rest, s);
    if (!linear) continue;
    const auto D = shape.quadratic(pow(s, 2));
    const auto scale = D ? ratio(linear->D, *D) : std::nullopt;
    if (scale) {
      terms.push_back(over_root(*scale, *D, gamma, names));
    } else {
      terms.push_back(
          quotient(names.applied_tensor(linear->D, {"D", "E", "A"}, gamma), in_components(gamma, s)));
    }
    terms.push_back(constant_term(linear->c));
    return sum_of(terms);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Matrix> value_at(const System& system, const BodyMotion& body, const Matrix& m,
                               const Matrix& attitude, const Matrix& Omega) {
  SymbolMap values;
  for (const Symbol f : system.space.functions()) values.emplace(f, Expr(0));
  for (int i = 0; i < 9 && body.has_attitude(); ++i) values[body.B[i].symbol()] = attitude[i];
  for (int i = 0; i < 3; ++i) values.emplace(body.speeds[static_cast<std::size_t>(i)], Omega[i]);
  try {
    return short_form(substitute(m, values));
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

const std::vector<Matrix>& simple_attitudes() {
  static const std::vector<Matrix> all = [] {
    std::vector<Matrix> found;
    for (int k : {2, 0, 1})
      for (const int sign : {1, -1}) found.push_back(attitude_with_row(2, Expr(sign) * unit_vector(k)));
    return found;
  }();
  return all;
}

std::optional<CovariantTerm> attitude_vector(const System& system, const BodyMotion& body, const Matrix& m,
                                             const std::vector<std::pair<int, CovariantTerm>>& rows,
                                             VectorNames& names) {
  const std::vector<Symbol> state = state_symbols(system, {});
  std::vector<CovariantTerm> candidates;
  for (const auto& [k, w] : rows) candidates.push_back(w);
  const std::vector<Matrix> axes{unit_vector(0), unit_vector(1), unit_vector(2)};
  if (const auto fit = shortest_fit(system, state, m, candidates, axes)) {
    std::vector<CovariantTerm> terms;
    Matrix rest = m;
    for (const auto& [j, c] : fit->terms) {
      terms.push_back(scaled(c, candidates[j]));
      rest = rest - terms.back().value;
    }
    for (const Matrix& attitude : simple_attitudes()) {
      const auto c = value_at(system, body, rest, attitude, Matrix(3, 1));
      if (!c) continue;
      terms.push_back(constant_term(*c));
      return sum_of(terms);
    }
  }
  for (const auto& [k, gamma] : rows) {
    std::vector<Matrix> free = axes;
    add_tensor_columns(free, gamma.value);
    if (shortest_fit(system, state, m, {}, free)) {
      if (const auto linear = AttitudeProbe(system, body, k).linear(m, 1))
        return sum_of({names.applied_tensor(linear->D, {"D", "E", "A"}, gamma), constant_term(linear->c)});
    }
    if (auto found = with_root(system, body, state, m, k, gamma, names)) return found;
  }
  return std::nullopt;
}

}  // namespace rattleback
