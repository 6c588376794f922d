#include <rattleback/algebra/writing/lowest_terms.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/fields/generators.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

/// A polynomial in T = sin(q/2), U = cos(q/2) of every angle, homogeneous of these degrees, as a polynomial in t = T/U.
struct Form {
  Polynomial p;
  std::vector<long> degrees;
  long exponent = 1;

  bool is_odd(std::size_t angle) const { return degrees[angle] % 2 != 0; }
  bool is_even() const {
    return std::all_of(degrees.begin(), degrees.end(), [](long k) { return k % 2 == 0; });
  }
};

Form operator*(const Form& a, const Form& b) {
  Form product{a.p * b.p, a.degrees};
  for (std::size_t i = 0; i < b.degrees.size(); ++i) product.degrees[i] += b.degrees[i];
  return product;
}

class HalfAngles {
 public:
  explicit HalfAngles(const Field& field) : field_(field) {
    for (int g = 0; g < field.ring().size(); ++g) {
      const Expr e = field.generators()[static_cast<std::size_t>(g)];
      if (!e.is(Kind::call) || e.function() != half_angle_tangent()) continue;
      tangents_.push_back(g);
      angles_.push_back(2 * e.args()[0]);
    }
  }
  bool empty() const { return tangents_.empty(); }

  /// Every other generator is a symbol: no function hides an angle.
  bool are_all_functions() const {
    for (int g = 0; g < field_.ring().size(); ++g) {
      const Expr e = field_.generators()[static_cast<std::size_t>(g)];
      const bool tangent = std::find(tangents_.begin(), tangents_.end(), g) != tangents_.end();
      if (!tangent && !e.is(Kind::symbol)) return false;
    }
    return true;
  }

  Form form(Polynomial p) const {
    Form f{std::move(p), {}};
    for (const int g : tangents_) f.degrees.push_back(std::max(0L, f.p.degree(g)));
    return f;
  }
  Form one() const { return {Polynomial(field_.ring(), 1), std::vector<long>(tangents_.size())}; }
  /// cos(q/2).
  Form cosine(std::size_t angle) const {
    Form f = one();
    f.degrees[angle] = 1;
    return f;
  }
  /// 1 + t².
  bool is_unit(const Polynomial& p) const {
    return std::any_of(tangents_.begin(), tangents_.end(), [&](int g) {
      const Polynomial t = Polynomial::generator(p.ring(), g);
      return p == t * t + Polynomial(p.ring(), 1);
    });
  }

  /// 2^(k/2) T^a U^(k−a) in cos q and sin q, for even k.
  Expr monomial(std::size_t angle, long a, long k) const {
    const Expr c = cos(angles_[angle]), s = sin(angles_[angle]);
    const auto power = [](Expr base, long n) { return pow(base, static_cast<int>(n)); };
    return a % 2 == 0 ? power(1 - c, a / 2) * power(1 + c, (k - a) / 2)
                      : s * power(1 - c, (a - 1) / 2) * power(1 + c, (k - a - 1) / 2);
  }

  /// A form of even degrees, times a power of 2, as a polynomial in cosines and sines.
  Expr in_functions(const Form& f) const {
    std::vector<Expr> terms{Expr(0)};
    for (std::size_t i = 0; i < f.p.terms(); ++i) {
      const std::vector<ulong> e = f.p.exponents(i);
      std::vector<Expr> factors{Expr(f.p.coefficient(i))};
      for (std::size_t g = 0; g < e.size(); ++g) {
        const auto angle =
            std::find(tangents_.begin(), tangents_.end(), static_cast<int>(g)) - tangents_.begin();
        if (angle == std::ssize(tangents_))
          factors.push_back(field_.power_of(static_cast<int>(g), static_cast<long>(e[g])));
      }
      for (std::size_t angle = 0; angle < tangents_.size(); ++angle)
        factors.push_back(monomial(angle, static_cast<long>(e[static_cast<std::size_t>(tangents_[angle])]),
                                   f.degrees[angle]));
      terms.push_back(product(factors));
    }
    return canonical(sum(terms));
  }
  std::size_t count() const { return tangents_.size(); }

 private:
  const Field& field_;
  std::vector<int> tangents_;
  std::vector<Expr> angles_;
};

/// constant · Π forms · Π U^(−w): a polynomial in t = T/U, whose factors 1 + t² are 1/U².
struct Product {
  Rational constant;
  std::vector<Form> forms;
  std::vector<long> weights;  ///< w, angle by angle

  Form multiplied_out(const HalfAngles& angles) const {
    Form all = angles.one();
    for (const Form& f : forms) {
      for (long k = 0; k < f.exponent; ++k) all = all * f;
    }
    return all;
  }
};

Product product_of(const HalfAngles& angles, const Polynomial& p) {
  Product result{1, {}, std::vector<long>(angles.count())};
  const Factored parts = factored(p);
  result.constant = parts.constant;
  for (const auto& [base, exponent] : parts.factors) {
    const Form f = angles.form(base);
    for (std::size_t i = 0; i < angles.count(); ++i) result.weights[i] += exponent * f.degrees[i];
    if (angles.is_unit(base)) continue;
    result.forms.push_back(f);
    result.forms.back().exponent = exponent;
  }
  return result;
}

/// Groups of even degrees: a factor alone, factors of equal parity together, the rest in one. Empty when what is left has odd degrees.
std::optional<std::vector<Form>> paired(std::vector<Form> single) {
  std::vector<Form> even, odd;
  for (Form& f : single) {
    if (f.is_even()) {
      even.push_back(std::move(f));
      continue;
    }
    const long pairs = f.exponent / 2, rest = f.exponent % 2;
    f.exponent = 1;
    if (pairs > 0) {
      even.push_back(f * f);
      even.back().exponent = pairs;
    }
    if (rest > 0) odd.push_back(std::move(f));
  }
  while (!odd.empty()) {
    Form group = odd.back();
    odd.pop_back();
    while (!group.is_even()) {
      if (odd.empty()) return std::nullopt;
      const auto mate = std::find_if(odd.begin(), odd.end(), [&](const Form& f) {
        for (std::size_t i = 0; i < f.degrees.size(); ++i) {
          if (f.is_odd(i) != group.is_odd(i)) return false;
        }
        return true;
      });
      const auto next = mate == odd.end() ? odd.end() - 1 : mate;
      group = group * *next;
      odd.erase(next);
    }
    even.push_back(std::move(group));
  }
  return even;
}

/// constant · N / Π D^n, each form of degree k being written as 2^(k/2) times itself.
Expr quotient(const HalfAngles& angles, const Form& numerator, const std::vector<Form>& below,
              const Rational& constant) {
  long halves = 0;
  for (const long k : numerator.degrees) halves -= k / 2;
  std::vector<Expr> factors{Expr(constant), short_form(angles.in_functions(numerator))};
  for (const Form& f : below) {
    for (const long k : f.degrees) halves += f.exponent * k / 2;
    factors.push_back(pow(short_form(angles.in_functions(f)), -static_cast<int>(f.exponent)));
  }
  factors.push_back(pow(Expr(2), static_cast<int>(halves)));
  return product(factors);
}

/// The divisors of a formula.
std::vector<Expr> divisors(const Tape& tape) {
  std::vector<Expr> found;
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr e = tape.node(slot);
    if (e.is(Kind::power) && e.exponent() < 0) found.push_back(e.args()[0]);
  }
  return found;
}

/// Symbols within a cosine or sine.
std::vector<Symbol> turning_symbols(Expr e) {
  std::vector<Expr> arguments;
  const Tape tape(std::span<const Expr>(&e, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr node = tape.node(slot);
    if (is_call_of(node, Builtin::cos) || is_call_of(node, Builtin::sin)) arguments.push_back(node.args()[0]);
  }
  std::vector<Symbol> symbols = symbols_of(arguments);
  std::erase_if(symbols, [](Symbol s) { return s.role() == Role::constant; });
  return symbols;
}

/// A formula along the curve x_i + s d_i.
class AlongCurve {
 public:
  AlongCurve(Expr f, Numbers at, const std::vector<Symbol>& moving, std::mt19937_64& random)
      : f_(f), at_(std::move(at)) {
    std::uniform_real_distribution<double> slope(0.4, 1.6);
    for (const Symbol s : moving) slopes_.emplace_back(s, (random() % 2 == 0 ? 1 : -1) * slope(random));
  }
  double operator()(Expr e, double s) const {
    Numbers here = at_;
    for (const auto& [q, slope] : slopes_) here[q] += s * slope;
    return evaluate(e, here);
  }
  double operator()(double s) const { return (*this)(f_, s); }

 private:
  Expr f_;
  Numbers at_;
  std::vector<std::pair<Symbol, double>> slopes_;
};

/// Roots of the divisor along the curve at which the formula does not grow.
bool is_removable_somewhere(const AlongCurve& along, Expr divisor) {
  constexpr int steps = 90;
  constexpr double length = 2 * std::numbers::pi, h = 1e-3, nearer = 16, grows = 3;
  double before = along(divisor, 0);
  for (int k = 1; k <= steps; ++k) {
    double low = length * (k - 1) / steps, high = length * k / steps;
    const double now = along(divisor, high);
    const bool crosses = std::isfinite(before) && std::isfinite(now) && before * now < 0;
    const double left = before;
    before = now;
    if (!crosses) continue;
    for (int i = 0; i < 50; ++i) {
      const double middle = (low + high) / 2;
      (along(divisor, middle) * left > 0 ? low : high) = middle;
    }
    bool pole = false;
    for (const int side : {1, -1}) {
      const double near = std::abs(along(low + side * h / nearer)), far = std::abs(along(low + side * h));
      if (!std::isfinite(near) || !std::isfinite(far)) return false;
      pole = pole || near > grows * far;
    }
    if (!pole) return true;
  }
  return false;
}

}  // namespace

std::optional<Expr> in_lowest_terms(Expr e) {
  GeneratorChoice choice;
  choice.half_angles = true;
  const Generators generators(std::span<const Expr>(&e, 1), choice);
  const Field field(generators.forms());
  const HalfAngles angles(field);
  if (angles.empty() || field.has_roots() || !angles.are_all_functions()) return std::nullopt;
  const Element x = field.element(generators.forms()[0]);
  if (x.is_zero()) return Expr(0);
  const Product above = product_of(angles, x.numerator());
  Product below = product_of(angles, x.denominator());
  Form numerator = above.multiplied_out(angles);
  for (std::size_t i = 0; i < angles.count(); ++i) {
    const long cosines = below.weights[i] - above.weights[i];
    if (cosines > 0) numerator.degrees[i] += cosines;
    if (cosines >= 0) continue;
    below.forms.push_back(angles.cosine(i));
    below.forms.back().exponent = -cosines;
  }
  if (!numerator.is_even()) {  // squares of what is odd have no other zeros
    for (Form& f : below.forms) {
      if (f.is_even() || f.exponent % 2 == 0) continue;
      numerator = numerator * f;
      ++f.exponent;
    }
    if (!numerator.is_even()) return std::nullopt;
  }
  const auto groups = paired(below.forms);
  if (!groups) return std::nullopt;
  return quotient(angles, numerator, *groups, above.constant / below.constant);
}

bool has_removable_pole(Expr formula) try {
  const Tape tape(std::span<const Expr>(&formula, 1));
  std::vector<Expr> below = divisors(tape);
  std::erase_if(below, [](Expr d) { return turning_symbols(d).empty(); });
  if (below.empty()) return false;
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> value(0.3, 1.9);
  for (int curve = 0; curve < 2; ++curve) {
    Numbers at;
    for (const Symbol s : symbols_of(formula)) {
      if (s.role() != Role::constant) at.emplace(s, value(random));
    }
    for (const Expr d : below) {
      if (is_removable_somewhere(AlongCurve(formula, at, turning_symbols(d), random), d)) return true;
    }
  }
  return false;
} catch (const OutOfDomain&) {
  return false;  // a function of which nothing is known
}

}  // namespace rattleback
