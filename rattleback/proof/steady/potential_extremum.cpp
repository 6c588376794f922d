#include <rattleback/proof/steady/potential_extremum.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool vanish(std::span<const Expr> es) {
  return std::all_of(es.begin(), es.end(), [](Expr e) { return vanishes_at_random_points(e); });
}

/// Leading minors are positive, by balls.
bool is_positive_definite(const Matrix& h) {
  std::vector<int> chosen;
  for (int k = 0; k < h.rows(); ++k) {
    chosen.push_back(k);
    const auto value = evaluate_until_nonzero(minor(h, chosen, chosen), BallPoint(1));
    if (!value || !value->is_positive()) return false;
  }
  return true;
}

/// Directions s_i for the coordinates, and the forms of V along them.
class Taylor {
 public:
  Taylor(Expr V, const std::vector<Symbol>& q, SymbolMap point) : point_(std::move(point)) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      s_.push_back(Symbol::make(fmt::format("s#{}", i)));
      along_.emplace(q[i], Expr(s_.back()));
    }
    slopes_.push_back(V);
  }

  const std::vector<Symbol>& directions() const { return s_; }
  /// V_m(s) = (d/dε)^m V(q + ε s)/m! at the point.
  Expr form(int m) {
    while (static_cast<int>(slopes_.size()) <= m)
      slopes_.push_back(derivative_along(slopes_.back(), along_) / Expr(static_cast<long>(slopes_.size())));
    return short_form(substitute(slopes_[at(m)], point_));
  }

 private:
  SymbolMap point_, along_;
  std::vector<Symbol> s_;
  std::vector<Expr> slopes_;
};

/// Negative at one of some directions with small integer components.
bool is_negative_somewhere(Expr form, const std::vector<Symbol>& s) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    BallPoint point(seed);
    for (std::size_t i = 0; i < s.size(); ++i)
      point.set(s[i], Rational(static_cast<long>((seed * (7 + 4 * i) + i * i) % 11) - 5));
    const auto value = evaluate_ball(form, point, 128);
    if (value && value->is_negative()) return true;
  }
  return false;
}

/// Every monomial is a square with a positive coefficient, and the pure powers are among them.
bool is_sum_of_even_powers(Expr form, const std::vector<Symbol>& s) {
  for (const Symbol pure : s) {
    SymbolMap others;
    for (const Symbol x : s) {
      if (x != pure) others.emplace(x, Expr(0));
    }
    const auto value =
        evaluate_ball(substitute(substitute(form, others), {{pure, Expr(1)}}), BallPoint(1), 128);
    if (!value || !value->is_positive()) return false;
  }
  // f(s) − f(s with one sign changed) = 0 for every s: even in each; nonnegative mixed derivatives: no negative coefficient.
  for (const Symbol x : s) {
    if (!vanishes_at_random_points(form - substitute(form, {{x, -Expr(x)}}))) return false;
  }
  return is_positive(form).kind == Inequality::Kind::always;
}

/// Positive for s ≠ 0; one and two variables are decided, more by their monomials.
bool is_definite_form(Expr form, const std::vector<Symbol>& s) {
  const auto value_at = [&](long a, long b) {
    SymbolMap values{{s[0], Expr(a)}};
    if (s.size() > 1) values.emplace(s[1], Expr(b));
    return evaluate_until_nonzero(substitute(form, values), BallPoint(1));
  };
  if (s.size() > 2) return is_sum_of_even_powers(form, s);
  const auto end = value_at(s.size() == 1 ? 1 : 0, 1);
  if (!end || !end->is_positive()) return false;
  if (s.size() == 1) return true;
  const Inequality i = is_positive(substitute(form, {{s[0], Expr(1)}}));
  if (i.kind == Inequality::Kind::never) return false;
  // Squares are left out of the inequality: a root of even multiplicity would be overlooked.
  const Expr along = substitute(form, {{s[0], Expr(1)}});
  const auto roots = where_all_hold({{Inequality::Kind::sometimes, along}}, s[1]);
  return roots && roots->size() == 1 && !roots->front().from && !roots->front().to;
}

PotentialAtRest extremum_of_form(Expr form, int degree, const std::vector<Symbol>& s) {
  if (degree % 2 == 1 || is_negative_somewhere(form, s)) return PotentialAtRest::no_minimum;
  return is_definite_form(form, s) ? PotentialAtRest::strict_minimum : PotentialAtRest::unknown;
}

Expr in_directions(Expr form, const std::vector<Symbol>& s, const Matrix& basis,
                   const std::vector<Symbol>& u) {
  SymbolMap map;
  for (int i = 0; i < basis.rows(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int k = 0; k < basis.columns(); ++k) terms.push_back(basis(i, k) * Expr(u[at(k)]));
    map.emplace(s[at(i)], sum(terms));
  }
  return short_form(substitute(form, map));
}

std::vector<Symbol> symbols_for(const char* name, int count) {
  std::vector<Symbol> all;
  for (int k = 0; k < count; ++k) all.push_back(Symbol::make(fmt::format("{}#{}", name, k)));
  return all;
}

/// Columns of the unit matrix that complete the basis.
Matrix complement(const Matrix& basis) {
  const int n = basis.rows(), k = basis.columns();
  std::vector<int> others;
  for (const int c : independent_columns(beside(basis, Matrix::identity(n)))) {
    if (c >= k) others.push_back(c - k);
  }
  return columns_of(Matrix::identity(n), others);
}

/// H is nonnegative: g_3 and g_4 on its kernel.                                                                (O.15)
PotentialAtRest on_kernel(Taylor& V, const Matrix& H) {
  const Matrix K = kernel(H).basis, Y = complement(K);
  const Matrix stiff = transpose(Y) * H * Y;
  if (!is_positive_definite(stiff)) return PotentialAtRest::unknown;
  const std::vector<Symbol> u = symbols_for("u", K.columns()), y = symbols_for("y", Y.columns());
  const Expr cubic = in_directions(V.form(3), V.directions(), K, u);
  if (!vanishes_at_random_points(cubic)) return PotentialAtRest::no_minimum;
  std::vector<Symbol> both = u;
  both.insert(both.end(), y.begin(), y.end());
  SymbolMap on_K;
  for (const Symbol s : y) on_K.emplace(s, Expr(0));
  const Expr mixed = in_directions(V.form(3), V.directions(), beside(K, Y), both);
  Matrix b(Y.columns(), 1);
  for (int i = 0; i < b.rows(); ++i) b[i] = substitute(derivative(mixed, y[at(i)]), on_K);
  const Matrix best = transpose(b) * inverse(stiff).x * b;
  const Expr quartic = short_form(in_directions(V.form(4), V.directions(), K, u) - best[0] / 2);
  return vanishes_at_random_points(quartic) ? PotentialAtRest::unknown : extremum_of_form(quartic, 4, u);
}

/// V_2 = 0.
PotentialAtRest by_lowest_form(Taylor& V) {
  constexpr int highest = search_limits::lowest_form.count;
  for (int m = 3; m <= highest; ++m) {
    const Expr form = V.form(m);
    if (!vanishes_at_random_points(form)) return extremum_of_form(form, m, V.directions());
  }
  return PotentialAtRest::unknown;
}

/// The coordinates that matter, when V depends on no others and nothing else on which V depends is in the way.
std::optional<std::vector<Symbol>> coordinates_of(const System& system, const SteadyFamily& family, Expr V) {
  std::vector<Symbol> q = family.small.configuration;
  q.insert(q.end(), family.idle_to_first_order.begin(), family.idle_to_first_order.end());
  for (const Symbol s : q) {
    if (s.role() != Role::coordinate) return std::nullopt;
  }
  for (const Symbol s : symbols_of(V)) {
    const bool matters = std::find(q.begin(), q.end(), s) != q.end();
    if (!matters && Expr(s) != pi()) return std::nullopt;
  }
  for (const Constraint& c : system.constraints) {
    if (c.position) return std::nullopt;
  }
  return q;
}

}  // namespace

bool is_natural(const System& system) {
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  const std::vector<Expr> p = gradient(system.lagrangian, system.space.velocities());
  return system.constraints.empty() && vanish(system.forces) && vanish(substitute(p, rest));
}

PotentialAtRest potential_at_rest(const System& system, const SteadyFamily& family) {
  if (!family.free.empty()) return PotentialAtRest::unknown;
  const SymbolMap values = parameter_values(system);
  SymbolMap rest, point;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  for (const Symbol z : family.small.speeds) {
    if (!family.point.values.at(z).is_zero()) return PotentialAtRest::unknown;
  }
  for (const auto& [s, value] : family.point.values) point.emplace(s, substitute(value, values));
  const Expr V = substitute(-substitute(system.lagrangian, rest), values);
  const auto q = coordinates_of(system, family, V);
  if (!q || q->empty() || !is_positive_definite(substitute(family.small.M, values)))
    return PotentialAtRest::unknown;
  Taylor taylor(V, *q, point);
  if (!vanishes_at_random_points(taylor.form(1))) return PotentialAtRest::unknown;
  const Expr quadratic = taylor.form(2);
  if (vanishes_at_random_points(quadratic)) return by_lowest_form(taylor);
  const Matrix H = jacobian(gradient(quadratic, taylor.directions()), taylor.directions());
  if (is_positive_definite(H)) return PotentialAtRest::strict_minimum;
  return rank(H) < H.rows() ? on_kernel(taylor, H) : PotentialAtRest::unknown;
}

}  // namespace rattleback
