#include <rattleback/algebra/expression/degree.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/algebra/expression/tape.hpp>

namespace rattleback {
namespace {

/// A quotient: the degree of its numerator over the denominator Π base^exponent, where the bases are nodes that the
/// graph divides by. Degrees are doubles: they may be astronomic.
struct Quotient {
  struct Factor {
    std::uint32_t base;
    double exponent;
  };
  double numerator = 0;
  std::vector<Factor> denominator;  ///< ascending bases
};

class Degrees {
 public:
  explicit Degrees(const Tape& tape) {
    for (std::size_t slot = 0; slot < tape.size(); ++slot) quotients_.push_back(quotient(tape, slot));
  }
  double numerator(std::uint32_t slot) const { return quotients_[slot].numerator; }

 private:
  /// deg Π base^exponent; the numerators of the bases are what is divided by.
  double degree(const std::vector<Quotient::Factor>& factors) const {
    double total = 0;
    for (const auto& f : factors) total += f.exponent * quotients_[f.base].numerator;
    return total;
  }

  /// Exponents of two denominators combined factor by factor.
  template <class Combine>
  static std::vector<Quotient::Factor> merged(const std::vector<Quotient::Factor>& a,
                                              const std::vector<Quotient::Factor>& b, Combine combine) {
    std::vector<Quotient::Factor> out;
    auto i = a.begin();
    auto j = b.begin();
    while (i != a.end() || j != b.end()) {
      if (j == b.end() || (i != a.end() && i->base < j->base)) {
        out.push_back(*i++);
      } else if (i == a.end() || j->base < i->base) {
        out.push_back(*j++);
      } else {
        out.push_back({i->base, combine(i->exponent, j->exponent)});
        ++i;
        ++j;
      }
    }
    return out;
  }

  /// Over the least common denominator, as far as it is seen.
  Quotient sum(std::span<const std::uint32_t> args) const {
    Quotient total;
    for (const std::uint32_t a : args) {
      total.denominator = merged(total.denominator, quotients_[a].denominator,
                                 [](double x, double y) { return std::max(x, y); });
    }
    const double common = degree(total.denominator);
    for (const std::uint32_t a : args) {
      const Quotient& x = quotients_[a];
      total.numerator = std::max(total.numerator, x.numerator + common - degree(x.denominator));
    }
    return total;
  }

  Quotient product(std::span<const std::uint32_t> args) const {
    Quotient total;
    for (const std::uint32_t a : args) {
      total.numerator += quotients_[a].numerator;
      total.denominator = merged(total.denominator, quotients_[a].denominator, std::plus<>());
    }
    return total;
  }

  Quotient power(std::uint32_t base, int n) const {
    const Quotient& x = quotients_[base];
    const double k = std::abs(static_cast<double>(n));
    if (n < 0) return {k * degree(x.denominator), {{base, k}}};
    Quotient p{k * x.numerator, x.denominator};
    for (auto& f : p.denominator) f.exponent *= k;
    return p;
  }

  /// cos u = (z² + 1)/2z and exp u = z are quotients in z = e^iu and e^u. A root keeps the degree of its radicand.
  Quotient call(Function f, std::span<const std::uint32_t> args) const {
    if (f.is_abstract()) return {1, {}};
    switch (f.kind()) {
      case Builtin::sqrt:
      case Builtin::abs: return {quotients_[args[0]].numerator + degree(quotients_[args[0]].denominator), {}};
      default: return {2, {}};
    }
  }

  Quotient quotient(const Tape& tape, std::size_t slot) const {
    const Expr e = tape.node(slot);
    const auto args = tape.args(slot);
    switch (e.kind()) {
      case Kind::constant: return {};
      case Kind::symbol: {
        // Entries of rotations and directions are quadratic over a common quadratic denominator, which counts
        // with the numerator; a positive symbol is a square.
        const bool on_manifold = e.symbol().role() == Role::rotation || e.symbol().role() == Role::direction;
        return {on_manifold || e.symbol().is_positive() ? 2.0 : 1.0, {}};
      }
      case Kind::sum: return sum(args);
      case Kind::product: return product(args);
      case Kind::power: return power(args[0], e.exponent());
      case Kind::call: return call(e.function(), args);
    }
    return {};
  }

  std::vector<Quotient> quotients_;
};

/// |n|·d of a fraction n/d: how often e^iu winds in the angle whose multiples n/d are taken.
double height(const Rational& r) {
  return std::max(1.0, std::abs(r.numerator().to_double())) * r.denominator().to_double();
}

/// The largest winding number of the arguments of sin, cos and exp; 0 when there are none.
double winding(const Tape& tape) {
  double largest = 0;
  for (std::size_t i = 0; i < tape.size(); ++i) {
    const Expr e = tape.node(i);
    if (!e.is(Kind::call) || e.function().is_abstract() || e.function().kind() == Builtin::sqrt) continue;
    const Expr u = e.args()[0];
    double total = 0;
    for (const Expr term : u.is(Kind::sum) ? u.args() : e.args())
      total += height(split_coefficient(term).coefficient);
    largest = std::max(largest, total);
  }
  return largest;
}

}  // namespace

int bits_per_point(Expr e, std::size_t roots) {
  const Expr outputs[] = {e};
  const Tape tape(outputs);
  const double turns = winding(tape);
  const double degree = Degrees(tape).numerator(tape.outputs()[0]) * std::max(1.0, turns);
  const double values = static_cast<double>(turns > 0 ? modulus_of_angles : modulus_of_numbers);
  const double bits = std::log2(values) - std::log2(std::max(1.0, degree)) - 2.0 * static_cast<double>(roots);
  return std::max(1, static_cast<int>(std::floor(bits)));
}

}  // namespace rattleback
