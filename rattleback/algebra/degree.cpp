#include <rattleback/algebra/degree.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/modular_field.hpp>
#include <rattleback/algebra/tape.hpp>

namespace rattleback {
namespace {

/// Degrees of numerator and denominator, as doubles: they may be astronomic.
struct Degree {
  double numerator = 0, denominator = 0;
};

/// |n|·d of the fractions n/d in an expression: how far a linear argument with these coefficients winds.
double height(const Rational& r) {
  return std::max(1.0, std::abs(r.numerator().to_double())) * r.denominator().to_double();
}

class Degrees {
 public:
  using Value = Degree;
  Value constant(const Rational&) const { return {}; }
  Value symbol(Symbol s) const {
    // A rotation matrix and a direction are quotients of quadratic polynomials in their parameters.
    const bool on_manifold = s.role() == Role::rotation || s.role() == Role::direction;
    return on_manifold ? Degree{2, 2} : Degree{s.is_positive() ? 2.0 : 1.0, 0};
  }
  Value sum(std::span<const Value> xs) const {
    double denominator = 0, excess = 0;
    for (const Value& x : xs) {
      denominator += x.denominator;
      excess = std::max(excess, x.numerator - x.denominator);
    }
    return {denominator + excess, denominator};
  }
  Value product(std::span<const Value> xs) const {
    Value total;
    for (const Value& x : xs) total = {total.numerator + x.numerator, total.denominator + x.denominator};
    return total;
  }
  Value power(const Value& x, int n) const {
    const double k = std::abs(static_cast<double>(n));
    return n > 0 ? Degree{k * x.numerator, k * x.denominator} : Degree{k * x.denominator, k * x.numerator};
  }
  Value call(Function f, std::span<const Value> xs) const {
    if (f.is_abstract()) return {1, 0};
    switch (f.kind()) {
      case Builtin::sqrt:
      case Builtin::abs: return xs[0];
      case Builtin::log: return {1, 0};
      default: return {2, 2};
    }
  }
};

/// The largest winding number of the arguments of sin, cos and exp.
double winding(const Tape& tape) {
  double largest = 1;
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const Expr e = tape.node(i);
    if (!e.is(Kind::call) || e.function().is_abstract()) continue;
    const Expr u = e.args()[0];
    double total = height(split_coefficient(u).coefficient);
    if (u.is(Kind::sum)) {
      total = 0;
      for (const Expr term : u.args()) total += height(split_coefficient(term).coefficient);
    }
    largest = std::max(largest, total);
  }
  return largest;
}

}  // namespace

int bits_per_point(Expr e, std::size_t roots) {
  const Expr outputs[] = {e};
  const Tape tape(outputs);
  Degrees in;
  const double degree = run(tape, in)[tape.outputs()[0]].numerator * winding(tape);
  const double bits = std::log2(static_cast<double>(modulus_of_angles)) - std::log2(std::max(1.0, degree)) -
                      2.0 * static_cast<double>(roots);
  return std::max(1, static_cast<int>(std::floor(bits)));
}

}  // namespace rattleback
