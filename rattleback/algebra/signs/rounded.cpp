#include <rattleback/algebra/signs/rounded.hpp>

#include <cmath>
#include <limits>
#include <numbers>

#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

constexpr double unit = 4 * std::numeric_limits<double>::epsilon();
constexpr Rounded unknown{0, std::numeric_limits<double>::infinity()};

/// A result with the error of its arguments and its own.
Rounded rounded(double value, double error) { return {value, error * (1 + unit) + unit * std::abs(value)}; }

Rounded operator*(const Rounded& a, const Rounded& b) {
  return rounded(a.value * b.value,
                 std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
}

/// |1/x − 1/a| = |x − a|/|x a|, where |x| ≥ |a| − error.
Rounded inverse(const Rounded& a) {
  const double least = std::abs(a.value) - a.error;
  if (!(least > 0)) return unknown;
  return rounded(1 / a.value, a.error / (least * std::abs(a.value)));
}

class RoundedValues {
 public:
  using Value = Rounded;
  explicit RoundedValues(const BallPoint& at) : at_(at) {}

  Rounded constant(const Rational& c) const { return rounded(c.to_double(), 0); }
  Rounded symbol(Symbol s) const {
    if (at_.is_enclosed(s) && at_.is_lost()) return unknown;
    return Expr(s) == pi() ? rounded(std::numbers::pi, 0) : constant(at_.value(s));
  }
  Rounded sum(std::span<const Rounded> xs) const {
    Rounded total;
    for (const Rounded& x : xs) total = rounded(total.value + x.value, total.error + x.error);
    return total;
  }
  Rounded product(std::span<const Rounded> xs) const {
    Rounded total{1, 0};
    for (const Rounded& x : xs) total = total * x;
    return total;
  }
  Rounded power(const Rounded& x, int n) const {
    Rounded result{1, 0}, square = x;
    for (auto left = static_cast<unsigned>(n < 0 ? -static_cast<long>(n) : n); left != 0; left /= 2) {
      if (left % 2 == 1) result = result * square;
      if (left > 1) square = square * square;
    }
    return n < 0 ? inverse(result) : result;
  }
  Rounded call(Function f, std::span<const Rounded> xs) const {
    if (f.is_abstract()) return unknown;
    const Rounded& x = xs[0];
    const double least = x.value - x.error;
    switch (f.kind()) {
      case Builtin::sin: return wave(std::sin(x.value), x);
      case Builtin::cos: return wave(std::cos(x.value), x);
      case Builtin::tan: return wave(std::sin(x.value), x) * inverse(wave(std::cos(x.value), x));
      case Builtin::cot: return wave(std::cos(x.value), x) * inverse(wave(std::sin(x.value), x));
      case Builtin::exp: return rounded(std::exp(x.value), std::exp(x.value + x.error) * x.error);
      case Builtin::log:
        if (!(least > 0)) return unknown;
        return rounded(std::log(x.value), x.error / least);
      case Builtin::sqrt:
        if (!(least > 0)) return unknown;
        return rounded(std::sqrt(x.value), x.error / (2 * std::sqrt(least)));
      default: return unknown;
    }
  }

 private:
  /// Sine and cosine have no slope beyond 1; near their zeros the argument counts, reduced with many digits.
  static Rounded wave(double value, const Rounded& x) { return rounded(value, x.error + unit); }

  const BallPoint& at_;
};

}  // namespace

Rounded evaluate_rounded(Expr e, const BallPoint& at) {
  RoundedValues in(at);
  return interpret(e, in);
}

}  // namespace rattleback
