#include <rattleback/algebra/conditions/definiteness.hpp>

#include <algorithm>
#include <numeric>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>

namespace rattleback {
namespace {

using Sort = Definiteness::Kind;

/// The canonical form while it is short: J + m a² − m a² sin²θ − m a² cos²θ has a sign that only J shows.
Expr simplified(Expr e) {
  constexpr std::size_t small = search_limits::entries_of_definite_matrices.count;
  if (e.is(Kind::constant) || e.is(Kind::symbol) || graph_size(std::span(&e, 1)) > small) return e;
  return canonical(e);
}

/// Completes squares: rows leave `rows` one by one, each with its pivot. False when the diagonal that is left
/// vanishes but the rest does not.
bool complete_squares(Matrix m, Definiteness& result) {
  std::vector<int> rows(static_cast<std::size_t>(m.rows()));
  std::iota(rows.begin(), rows.end(), 0);
  for (Expr& e : m.entries()) e = simplified(e);
  while (!rows.empty()) {
    Budget::check();
    auto best = rows.end();
    for (auto i = rows.begin(); i != rows.end(); ++i) {
      const Expr e = m(*i, *i);
      if (vanishes_at_random_points(e)) continue;
      if (best == rows.end() || (known_nonzero(e) && !known_nonzero(m(*best, *best)))) best = i;
    }
    if (best == rows.end()) break;
    const int p = *best;
    rows.erase(best);
    result.order.push_back(p);
    result.pivots.push_back(m(p, p));
    for (const int i : rows) {
      for (const int j : rows) {
        if (!m(i, p).is_zero() && !m(p, j).is_zero())
          m(i, j) = simplified(m(i, j) - m(i, p) * m(p, j) / m(p, p));
      }
    }
  }
  for (const int i : rows) {
    for (const int j : rows) {
      if (!vanishes_at_random_points(m(i, j))) return false;
    }
  }
  return true;
}

struct Signs {
  bool positive = false, negative = false, zero = false, unknown = false;
};

Signs signs_of(const std::vector<Expr>& pivots) {
  Signs s;
  for (const Expr p : pivots) {
    switch (known_sign(p)) {
      case KnownSign::positive: s.positive = true; break;
      case KnownSign::negative: s.negative = true; break;
      case KnownSign::nonnegative: s.positive = s.zero = true; break;
      case KnownSign::nonpositive: s.negative = s.zero = true; break;
      default: s.unknown = true;
    }
  }
  return s;
}

/// Pivots that are `nonnegative` might vanish together with what makes the form indefinite, so mixed signs count
/// as indefinite only when they are strict.
Sort by_known_signs(const Definiteness& d, bool full_rank) {
  const Signs s = signs_of(d.pivots);
  const auto strict = [&](KnownSign sign) {
    return std::any_of(d.pivots.begin(), d.pivots.end(), [sign](Expr p) { return known_sign(p) == sign; });
  };
  if (strict(KnownSign::positive) && strict(KnownSign::negative)) return Sort::indefinite;
  if (s.unknown || (s.positive && s.negative)) return Sort::unknown;
  const bool definite = full_rank && !s.zero;
  if (s.negative) return definite ? Sort::negative_definite : Sort::negative_semidefinite;
  return definite ? Sort::positive_definite : Sort::positive_semidefinite;
}

Counterexample counterexample(const std::vector<Expr>& pivots, const BallPoint& point, std::size_t which,
                              const Ball& value) {
  Counterexample c;
  for (const Symbol s : symbols_of(pivots)) {
    if (s.role() != Role::constant) c.point.emplace_back(s, point.value(s).text());
  }
  c.value = value.text();
  c.note = "pivot " + std::to_string(which + 1) + " of the quadratic form";
  return c;
}

/// Signs at points, by balls: one certain sign at a point refutes the other sign there.
void look_at_points(Definiteness& d) {
  constexpr std::uint64_t points = search_limits::definiteness.count;
  constexpr long bits = 256;
  bool positive_somewhere = false;
  for (std::uint64_t seed = 1; seed <= points; ++seed) {
    const BallPoint point(seed);
    const auto values = evaluate_ball(d.pivots, point, bits);
    if (!values) continue;
    const auto negative =
        std::find_if(values->begin(), values->end(), [](const Ball& b) { return b.is_negative(); });
    if (negative == values->end()) {
      positive_somewhere = true;
      continue;
    }
    if (!d.at) {
      const auto which = static_cast<std::size_t>(negative - values->begin());
      d.at = counterexample(d.pivots, point, which, *negative);
    }
  }
  if (d.at && positive_somewhere) d.kind = Sort::varies;
}

}  // namespace

Definiteness definiteness(const Matrix& a) {
  if (a.rows() != a.columns()) throw Bug("definiteness of a matrix that is not square");
  Definiteness d;
  d.kernel = Matrix(a.rows(), 0);
  if (!complete_squares(a, d)) {
    d.kind = Sort::indefinite;
    return d;
  }
  const bool full_rank = static_cast<int>(d.pivots.size()) == a.rows();
  if (!full_rank) d.kernel = kernel(a).basis;
  d.kind = by_known_signs(d, full_rank);
  if (d.kind == Sort::unknown) look_at_points(d);
  return d;
}

std::vector<Expr> leading_principal_minors(const Matrix& a) {
  std::vector<Expr> minors;
  std::vector<int> first;
  for (int k = 0; k < std::min(a.rows(), a.columns()); ++k) {
    first.push_back(k);
    minors.push_back(determinant(columns_of(rows_of(a, first), first)));
  }
  return minors;
}

std::string text(Definiteness::Kind kind) {
  switch (kind) {
    case Sort::positive_definite: return "positive definite";
    case Sort::negative_definite: return "negative definite";
    case Sort::positive_semidefinite: return "positive semidefinite";
    case Sort::negative_semidefinite: return "negative semidefinite";
    case Sort::indefinite: return "indefinite";
    case Sort::varies: return "of a signature that varies from place to place";
    case Sort::unknown: break;
  }
  return "of unknown signature";
}

}  // namespace rattleback
