#include <rattleback/algebra/conditions/implied_conditions.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

std::span<const Expr> terms_of(const Expr& e) {
  return e.is(Kind::sum) ? e.args() : std::span<const Expr>(&e, 1);
}

/// What may make a term vanish: the bases of its factors.
std::vector<Expr> bases_of(Expr term) {
  std::vector<Expr> bases;
  for (const Expr f : term.is(Kind::product) ? term.args() : std::span<const Expr>(&term, 1)) {
    if (f.is(Kind::power) && f.exponent() < 0) continue;
    const Expr base = f.is(Kind::power) ? f.args()[0] : f;
    if (!never_vanishes(base)) bases.push_back(base);
  }
  return bases;
}

bool is_at_least_zero(Expr e) {
  const KnownSign sign = known_sign(e);
  return sign == KnownSign::positive || sign == KnownSign::nonnegative;
}

}  // namespace

std::vector<Expr> zeros_of_squares(Expr e) {
  std::vector<Expr> zeros;
  if (!e.is(Kind::sum) || !std::ranges::all_of(e.args(), is_at_least_zero)) return zeros;
  for (const Expr term : e.args()) {
    const std::vector<Expr> bases = bases_of(term);
    if (bases.size() == 1) zeros.push_back(bases[0]);
  }
  return zeros;
}

namespace {

/// Does f vanish with the squares of e, each of its terms with one of them?
bool vanishes_with_squares(Expr f, Expr e) {
  const std::vector<Expr> zeros = zeros_of_squares(e);
  const auto is_zero_then = [&](Expr b) {
    return std::ranges::any_of(zeros, [&](Expr z) { return z == b || (z + b).is_zero(); });
  };
  return is_zero_then(f) || std::ranges::all_of(terms_of(f), [&](Expr term) {
           return std::ranges::any_of(bases_of(term), is_zero_then);
         });
}

bool has_poles(Expr e) {
  const Tape tape({&e, 1});
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr node = tape.node(slot);
    if (node.is(Kind::call) && !is_call_of(node, Builtin::sin) && !is_call_of(node, Builtin::cos))
      return true;
    if (node.is(Kind::power) && node.exponent() < 0 && !never_vanishes(node.args()[0])) return true;
  }
  return false;
}

/// Is f² a multiple of e, so that f vanishes wherever e does? Not if e contains a symbol that f does not.
bool is_multiple_of(Expr f, Expr e) {
  if (!fits(e, legible::on_a_line) || !fits(f, legible::on_a_line)) return false;
  if (std::ranges::any_of(symbols_of(e), [f](Symbol s) { return !contains(f, s); })) return false;
  return !has_poles(canonical(pow(f, 2) / e));
}

/// Is e = ± f, or ± f g, where rotation matrices are orthogonal: B32² + B33² beside 1 - B31 and 1 + B31? Then the others say it.
bool says_the_same(Expr product, Expr e) {
  if (!fits(e, legible::on_a_line) || !fits(product, legible::on_a_line)) return false;
  const auto turns = [](Symbol s) { return s.role() == Role::rotation || s.role() == Role::direction; };
  if (std::ranges::none_of(symbols_of(e), turns)) return false;
  const auto vanishes = [](Expr difference) {  // random points say where a proof is worth its time
    return vanishes_at_random_points(difference) && exact_zero(difference).answer == ExactAnswer::zero;
  };
  return vanishes(e - product) || vanishes(e + product);
}

/// f > 0 as a sign of one symbol: x > 0 of x (y² + z²) > 0. Nothing where its factors do not say so.
std::optional<Symbol> positive_symbol(const Assumption& f) {
  if (f.kind != Assumption::Kind::positive) return std::nullopt;
  std::optional<Symbol> found;
  const Expr e = f.expression;
  for (const Expr factor : e.is(Kind::product) ? e.args() : std::span<const Expr>(&e, 1)) {
    if (is_at_least_zero(factor)) continue;
    if (found || !factor.is(Kind::symbol)) return std::nullopt;
    found = factor.symbol();
  }
  return found;
}

/// Does e vanish nowhere where f > 0?
bool is_nonzero_by_sign(const Assumption& f, const Assumption& e) {
  const auto s = positive_symbol(f);
  if (!s || e.kind != Assumption::Kind::nonzero || !contains(e.expression, *s)) return false;
  Symbol::Attributes attributes = s->attributes();
  attributes.sign = Sign::positive;
  const Expr there = substitute(e.expression, {{*s, Expr(Symbol::make(s->name(), attributes))}});
  return never_vanishes(there) || never_vanishes(-there);
}

/// Where f is not zero, neither is e.
bool implies(const Assumption& f, const Assumption& e) {
  return f.kind == Assumption::Kind::nonzero && e.kind == Assumption::Kind::nonzero &&
         (vanishes_with_squares(f.expression, e.expression) || is_multiple_of(f.expression, e.expression));
}

/// Condition i is condition k, or the product of k and a later one, in other words.
bool is_said_by(const Assumptions& where, std::size_t i, std::size_t k,
                const std::function<bool(std::size_t)>& is_other) {
  const auto nonzero = [&](std::size_t n) { return where[n].kind == Assumption::Kind::nonzero; };
  if (!nonzero(i) || !nonzero(k)) return false;
  if (says_the_same(where[k].expression, where[i].expression)) return true;
  for (std::size_t m = k + 1; m < where.size(); ++m) {
    if (is_other(m) && nonzero(m) &&
        says_the_same(where[k].expression * where[m].expression, where[i].expression))
      return true;
  }
  return false;
}

}  // namespace

Assumptions without_implied(const Assumptions& where) {
  std::vector<std::size_t> longest_first(where.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::ranges::stable_sort(longest_first, std::greater<>(),
                           [&](std::size_t k) { return written_size(where[k].expression); });
  std::vector<bool> dropped(where.size(), false);
  for (const std::size_t i : longest_first) {
    const auto is_other = [&](std::size_t k) { return k != i && !dropped[k]; };
    for (std::size_t k = 0; k < where.size() && !dropped[i]; ++k) {
      if (!is_other(k)) continue;
      dropped[i] = implies(where[k], where[i]) || is_nonzero_by_sign(where[k], where[i]) ||
                   is_said_by(where, i, k, is_other);
    }
  }
  Assumptions kept;
  for (std::size_t i = 0; i < where.size(); ++i) {
    if (!dropped[i]) kept.push_back(where[i]);
  }
  return kept;
}

}  // namespace rattleback
