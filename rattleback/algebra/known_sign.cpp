#include <rattleback/algebra/known_sign.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/ball.hpp>
#include <rattleback/algebra/exact.hpp>
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
bool is_number(Expr e) {
  const std::vector<Symbol> symbols = symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(), [](Symbol s) { return s.role() == Role::constant; });
}

}  // namespace

KnownSign known_sign(Expr e) {
  Signs signs;
  const KnownSign sign = interpret(e, signs);
  if (sign != unknown || !is_number(e)) return sign;
  const std::optional<Ball> value = evaluate_until_nonzero(e, BallPoint(1));
  return !value ? unknown : value->is_positive() ? positive : value->is_negative() ? negative : unknown;
}

bool known_nonzero(Expr e) { return definite(known_sign(e)); }

Expr sign_revealing(Expr e) {
  constexpr std::size_t small = 200;
  if (known_nonzero(e) || graph_size(std::span(&e, 1)) > small) return e;
  const Expr c = canonical(e);
  return known_nonzero(c) ? c : e;
}

}  // namespace rattleback
