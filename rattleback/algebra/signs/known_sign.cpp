#include <rattleback/algebra/signs/known_sign.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/graph.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/signs/ball.hpp>

namespace rattleback {
namespace {

using enum KnownSign;

bool definite(KnownSign s) { return s == positive || s == negative; }

/// Where a value lies: between two bounds, which it may reach or not.
struct Range {
  struct Bound {
    double at;
    bool is_reached;
  };
  Bound low{-infinity, false}, high{infinity, false};

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static Range between(double a, double b) { return {{a, true}, {b, true}}; }
  static Range above(double a) { return {{a, false}, {infinity, false}}; }
  static Range from(double a) { return {{a, true}, {infinity, false}}; }

  KnownSign sign() const {
    if (low.at == 0 && high.at == 0) return zero;
    if (low.at > 0 || (low.at == 0 && !low.is_reached)) return positive;
    if (high.at < 0 || (high.at == 0 && !high.is_reached)) return negative;
    return low.at == 0 ? nonnegative : high.at == 0 ? nonpositive : unknown;
  }
  bool contains_zero() const { return sign() != positive && sign() != negative; }
  bool is_everything() const { return low.at == -infinity && high.at == infinity; }
};
using Bound = Range::Bound;

Bound down(double exact_or_near, bool is_exact, bool is_reached) {
  return is_exact ? Bound{exact_or_near, is_reached}
                  : Bound{std::nextafter(exact_or_near, -Range::infinity), false};
}
Bound mirrored(Bound b) { return {-b.at, b.is_reached}; }
Range mirrored(const Range& x) { return {mirrored(x.high), mirrored(x.low)}; }

/// The lower bound of a sum: what rounding took away is given back.
Bound sum_below(Bound a, Bound b) {
  const double s = a.at + b.at, of_b = s - a.at;
  const bool is_exact = std::isinf(s) || (a.at - (s - of_b)) + (b.at - of_b) == 0;
  return down(s, is_exact, a.is_reached && b.is_reached);
}
Range plus(const Range& a, const Range& b) {
  if (a.is_everything() || b.is_everything()) return {};
  return {sum_below(a.low, b.low), mirrored(sum_below(mirrored(a.high), mirrored(b.high)))};
}

/// A product of bounds, as a lower one; 0 times anything is 0.
Bound product_below(Bound a, Bound b) {
  if (a.at == 0 || b.at == 0) return {0, false};
  if (a.at == 1) return {b.at, a.is_reached && b.is_reached};
  const double p = a.at * b.at;
  const bool is_exact = std::isinf(p) || (std::abs(p) > 1e-280 && std::fma(a.at, b.at, -p) == 0);
  return down(p, is_exact, a.is_reached && b.is_reached);
}
Range times(const Range& a, const Range& b) {
  if (a.sign() == zero || b.sign() == zero) return Range::between(0, 0);
  if (a.is_everything() || b.is_everything()) return {};
  if (a.high.at <= 0) return mirrored(times(mirrored(a), b));
  if (b.high.at <= 0) return mirrored(times(a, mirrored(b)));
  const bool vanishes = a.contains_zero() || b.contains_zero();
  if (a.low.at >= 0 && b.low.at >= 0) {
    Bound low = product_below(a.low, b.low);
    if (low.at == 0) low.is_reached = vanishes;
    return {low, mirrored(product_below(mirrored(a.high), b.high))};
  }
  const auto lowest = [&](const Range& x, const Range& y) {
    Bound least{Range::infinity, false};
    for (const Bound p : {x.low, x.high})
      for (const Bound q : {y.low, y.high})
        if (const Bound c = product_below(p, q);
            c.at < least.at || (c.at == least.at && c.is_reached && !least.is_reached))
          least = c;
    if (least.at == 0) least.is_reached = vanishes;
    return least;
  };
  return {lowest(a, b), mirrored(lowest(mirrored(a), b))};
}

Range raised(const Range& x, int n) {
  if (n == 1) return x;
  if (n % 2 != 0) return times(x, raised(x, n - 1));
  const Range root = raised(x, n / 2), square = times(root, root);
  // A square is never negative, also where the factors might differ in sign.
  if (root.sign() == positive || root.sign() == negative || root.sign() == zero) return square;
  const Bound most = std::max(-root.low.at, root.high.at) == root.high.at ? root.high : mirrored(root.low);
  return {{0, true}, mirrored(product_below(most, mirrored(most)))};
}

/// 1/x is never 0 where it is defined.
Range reciprocal(const Range& x) {
  switch (x.sign()) {
    case nonnegative:
    case positive: {
      const auto inverse = [](Bound b, double at_zero) {
        if (b.at == 0) return at_zero;
        return 1 / b.at;
      };
      Range r = Range::above(0);
      const double below = inverse(x.high, 0), above = inverse(x.low, Range::infinity);
      if (below > 0) r.low = down(below, std::fma(below, x.high.at, -1) == 0, x.high.is_reached);
      if (!std::isinf(above))
        r.high = mirrored(down(-above, std::fma(above, x.low.at, -1) == 0, x.low.is_reached));
      return r;
    }
    case nonpositive:
    case negative: return mirrored(reciprocal(mirrored(x)));
    default: return {};
  }
}

struct Ranges {
  using Value = Range;

  Range constant(const Rational& c) const {
    if (c.is_zero()) return Range::between(0, 0);
    if (const long whole = c.to_long(0); whole != 0 && std::abs(whole) < 1L << 53U)
      return Range::between(static_cast<double>(whole), static_cast<double>(whole));
    const double x = c.to_double();
    if (!std::isnormal(x)) return c.sign() > 0 ? Range::above(0) : mirrored(Range::above(0));
    if (Rational::from_double(x) == c) return Range::between(x, x);
    return {down(x, false, false), mirrored(down(-x, false, false))};
  }
  Range symbol(Symbol s) const {
    if (s.is_positive()) return Range::above(0);
    return s.role() == Role::rotation ? Range::between(-1, 1) : Range{};
  }
  Range sum(std::span<const Range> xs) const {
    Range s = xs[0];
    for (const Range& x : xs.subspan(1)) s = plus(s, x);
    return s;
  }
  Range product(std::span<const Range> xs) const {
    Range s = xs[0];
    for (const Range& x : xs.subspan(1)) s = times(s, x);
    return s;
  }
  Range power(const Range& x, int n) const {
    const Range p = raised(x, std::abs(n));
    return n > 0 ? p : reciprocal(p);
  }
  Range call(Function f, std::span<const Range> xs) const {
    switch (f.kind()) {
      case Builtin::exp: return Range::above(0);
      case Builtin::cosh: return Range::from(1);
      case Builtin::sqrt: return xs[0].sign() == positive ? Range::above(0) : Range::from(0);
      case Builtin::abs: return xs[0].contains_zero() ? Range::from(0) : Range::above(0);
      case Builtin::sin:
      case Builtin::cos: return Range::between(-1, 1);
      case Builtin::atan:
      case Builtin::sinh:
      case Builtin::tanh:
      case Builtin::asinh: return of_sign(xs[0].sign());
      default: return {};
    }
  }

 private:
  static Range of_sign(KnownSign s) {
    switch (s) {
      case positive: return Range::above(0);
      case nonnegative: return Range::from(0);
      case zero: return Range::between(0, 0);
      case nonpositive: return mirrored(Range::from(0));
      case negative: return mirrored(Range::above(0));
      default: return {};
    }
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

}  // namespace

KnownSign known_sign(Expr e) {
  allow_recursion();
  Ranges ranges;
  const Tape tape(std::span<const Expr>(&e, 1));
  const KnownSign sign = run(tape, ranges).back().sign();
  if (sign != unknown || !is_number(tape)) return sign;
  const std::optional<Ball> value = evaluate_until_nonzero(e, BallPoint(1));
  return !value ? unknown : value->is_positive() ? positive : value->is_negative() ? negative : unknown;
}

bool known_nonzero(Expr e) { return definite(known_sign(e)); }

Expr absolute(Expr e) {
  switch (known_sign(e)) {
    case positive:
    case nonnegative:
    case zero: return e;
    case negative:
    case nonpositive: return -e;
    case unknown: break;
  }
  return abs(e);
}

}  // namespace rattleback
