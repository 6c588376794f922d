#include <rattleback/algebra/known_sign.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <unordered_map>

#include <rattleback/algebra/ball.hpp>
#include <rattleback/algebra/effort.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/graph.hpp>
#include <rattleback/algebra/numbers.hpp>
#include <rattleback/algebra/pythagoras.hpp>
#include <rattleback/algebra/tape.hpp>

namespace rattleback {
namespace {

using enum KnownSign;

bool at_least_zero(KnownSign s) { return s == zero || s == nonnegative || s == positive; }
bool at_most_zero(KnownSign s) { return s == zero || s == nonpositive || s == negative; }
bool definite(KnownSign s) { return s == positive || s == negative; }

KnownSign opposite(KnownSign s) {
  switch (s) {
    case negative: return positive;
    case nonpositive: return nonnegative;
    case nonnegative: return nonpositive;
    case positive: return negative;
    default: return s;
  }
}

KnownSign plus(KnownSign a, KnownSign b) {
  if (a == zero) return b;
  if (b == zero) return a;
  if (at_least_zero(a) && at_least_zero(b)) return a == positive || b == positive ? positive : nonnegative;
  if (at_most_zero(a) && at_most_zero(b)) return a == negative || b == negative ? negative : nonpositive;
  return unknown;
}

KnownSign times(KnownSign a, KnownSign b) {
  if (a == zero || b == zero) return zero;
  if (a == unknown || b == unknown) return unknown;
  const bool same = at_least_zero(a) == at_least_zero(b);
  const KnownSign size = definite(a) && definite(b) ? positive : nonnegative;
  return same ? size : opposite(size);
}

struct Signs {
  using Value = KnownSign;

  KnownSign constant(const Rational& c) const {
    return c.sign() > 0 ? positive : c.sign() < 0 ? negative : zero;
  }
  KnownSign symbol(Symbol s) const { return s.is_positive() ? positive : unknown; }
  KnownSign sum(std::span<const KnownSign> xs) const {
    KnownSign s = zero;
    for (const KnownSign x : xs) s = plus(s, x);
    return s;
  }
  KnownSign product(std::span<const KnownSign> xs) const {
    KnownSign s = positive;
    for (const KnownSign x : xs) s = times(s, x);
    return s;
  }
  KnownSign power(KnownSign x, int n) const {
    if (n < 0) return definite(x) || n % 2 != 0 ? reciprocal(power(x, -n)) : positive;
    if (n % 2 != 0) return x;
    return definite(x) ? positive : x == zero ? zero : nonnegative;
  }
  KnownSign call(Function f, std::span<const KnownSign> xs) const {
    switch (f.kind()) {
      case Builtin::exp:
      case Builtin::cosh: return positive;
      case Builtin::sqrt: return xs[0] == positive ? positive : nonnegative;
      case Builtin::abs: return definite(xs[0]) ? positive : nonnegative;
      case Builtin::atan:
      case Builtin::sinh:
      case Builtin::tanh:
      case Builtin::asinh: return xs[0];
      default: return unknown;
    }
  }

 private:
  /// 1/x is never 0 where it is defined.
  static KnownSign reciprocal(KnownSign x) {
    return x == nonnegative ? positive : x == nonpositive ? negative : x;
  }
};

/// A real number such as √2 − 1 or π − 3: balls know its sign.
bool is_number(const Tape& tape) {
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::symbol) && e.symbol().role() != Role::constant) return false;
  }
  return true;
}

/// Values of the symbols at one of a few points, the same in every run; nothing where symbols are related to each other.
std::optional<Numbers> sample(std::span<const Symbol> symbols, int point) {
  Numbers at;
  for (const Symbol s : symbols) {
    if (s.role() == Role::rotation || s.role() == Role::direction) return std::nullopt;
    if (s.role() == Role::constant) continue;
    const std::uint64_t bits = mix(s.hash(), static_cast<std::uint64_t>(point));
    const double size = 0.25 + 2.75 * static_cast<double>(bits >> 32U) / 4294967296.0;
    at.emplace(s, s.is_positive() || (bits & 1U) == 0 ? size : -size);
  }
  return at;
}

/// Values at some point, with all coordinates at one angle where determinants like to vanish.
std::optional<Numbers> sample_at_angle(std::span<const Symbol> symbols, double angle) {
  std::optional<Numbers> at = sample(symbols, 0);
  if (!at) return at;
  for (const Symbol s : symbols) {
    if (s.role() == Role::coordinate) at->insert_or_assign(s, angle);
  }
  return at;
}

/// Zero somewhere, to rounding, or certainly of either sign, so that no way of writing e can show one.
bool has_no_sign(Expr e) {
  constexpr int points = 6;
  constexpr double beyond_rounding = 1e-6;
  const std::vector<Symbol> symbols = symbols_of(e);
  bool above = false, below = false;
  for (int point = 0; point < points && !(above && below); ++point) {
    const std::optional<Numbers> at = sample(symbols, point);
    if (!at) return false;
    // A function that the model declares may have any value.
    const double value = evaluate(e, *at, [](Function, std::span<const double>) { return std::nan(""); });
    above = above || (std::isfinite(value) && value > beyond_rounding);
    below = below || (std::isfinite(value) && value < -beyond_rounding);
  }
  if (above && below) return true;
  constexpr double zero_to_rounding = 1e-14;
  for (const double angle : {0.0, std::numbers::pi / 2}) {
    const std::optional<Numbers> at = sample_at_angle(symbols, angle);
    const double value = evaluate(e, *at, [](Function, std::span<const double>) { return std::nan(""); });
    if (std::abs(value) < zero_to_rounding) return true;
  }
  return false;
}

}  // namespace

KnownSign known_sign(Expr e) {
  Signs signs;
  const Tape tape(std::span<const Expr>(&e, 1));
  const KnownSign sign = run(tape, signs).back();
  if (sign != unknown || !is_number(tape)) return sign;
  const std::optional<Ball> value = evaluate_until_nonzero(e, BallPoint(1));
  return !value ? unknown : value->is_positive() ? positive : value->is_negative() ? negative : unknown;
}

bool known_nonzero(Expr e) { return definite(known_sign(e)); }

namespace {

/// The canonical form, remembered with its effort: the same determinants are asked about again and again.
Expr remembered_canonical(Expr e) {
  struct Found {
    Expr form;
    Effort effort;
  };
  constexpr std::size_t most_known = 20'000;
  thread_local std::unordered_map<Expr, Found> known;
  if (const auto found = known.find(e); found != known.end()) {
    try {
      found->second.effort.charge();
      return found->second.form;
    } catch (const Exhausted&) {
      return e;
    }
  }
  const Effort before = Effort::so_far();
  const Expr form = canonical(e);
  if (known.size() >= most_known) known.clear();
  if (form != e) known.emplace(e, Found{form, Effort::so_far().since(before)});
  return form;
}

}  // namespace

Expr sign_revealing(Expr e) {
  constexpr std::size_t small = 200;
  if (known_nonzero(e) || graph_size(std::span(&e, 1)) > small || has_no_sign(e)) return e;
  if (const Expr plain = collapsed(e); plain != e && known_nonzero(plain)) return plain;
  const Expr c = remembered_canonical(e);
  return known_nonzero(c) ? c : e;
}

}  // namespace rattleback
