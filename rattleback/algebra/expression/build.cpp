// Declared in algebra/expression/expr.hpp. Sums, products and powers: what their constructors fold and collect (the list stands in expr.hpp).
#include <algorithm>
#include <limits>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/few.hpp>
#include <rattleback/algebra/arithmetic/input_limits.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/graph.hpp>

namespace rattleback {
namespace {

constexpr std::size_t flatten_limit = search_limits::merged_terms.count;
/// Larger numbers are refused: no meaningful input has more bits.
constexpr std::size_t bits_limit = input_limits::bits_of_a_number.count;
constexpr int exponent_limit = input_limits::exponent.count;

const Rational& checked(const Rational& r) {
  if (r.bits() > bits_limit) {
    throw TooLarge("number-too-large", "a number here has more than a million bits",
                   "exact arithmetic would not end in reasonable time",
                   "use a smaller number or a named parameter");
  }
  return r;
}

const Rational& one() {
  static const Rational& number = Expr(1).value();
  return number;
}

/// a·b as a constant of the graph, which is never freed.
const Rational* times(const Rational* a, const Rational* b) {
  return a->is_one() ? b : b->is_one() ? a : &Graph::constant(*a * *b).value();
}

/// The factors of e without its number, also where a number stands before a product too long to be flattened.
std::span<const Expr> factors_without_number(const Expr& e) {
  if (!e.is(Kind::product)) return {&e, 1};
  if (!e.args()[0].is(Kind::constant)) return e.args();
  const std::span<const Expr> factors = e.args().subspan(1);
  const bool is_nested = factors.size() == 1 && factors[0].is(Kind::product);
  return is_nested && !factors[0].args()[0].is(Kind::constant) ? factors[0].args() : factors;
}

/// coefficient · Π factors. The product without its number is no node until it is needed.
struct Term {
  Expr whole;                   ///< as it stood
  const Rational* scale;        ///< times this
  const Rational* coefficient;  ///< altogether
  std::uint64_t hash;           ///< of Π factors

  Term(Expr e, const Rational* k) : whole(e), scale(k), coefficient(k) {
    if (e.is(Kind::product) && e.args()[0].is(Kind::constant)) coefficient = times(k, &e.args()[0].value());
    const auto fs = factors();
    hash = fs.size() == 1 ? fs[0].hash() : nary_hash(Kind::product);
    for (std::size_t i = 0; fs.size() > 1 && i < fs.size(); ++i) hash = mix(hash, fs[i].hash());
  }
  std::span<const Expr> factors() const { return factors_without_number(whole); }
  bool is_like(const Term& other) const {
    return hash == other.hash && std::ranges::equal(factors(), other.factors());
  }
};

/// By the product without its number, as before() has it.
bool term_before(const Term& a, const Term& b) {
  if (a.hash != b.hash) return a.hash < b.hash;
  return std::ranges::lexicographical_compare(a.factors(), b.factors(), {}, &Expr::id, &Expr::id);
}

/// k · Π factors.
Expr scaled(const Rational& k, std::span<const Expr> factors) {
  if (k.is_one()) return factors.size() == 1 ? factors[0] : Graph::nary(Kind::product, factors);
  Few<Expr> all;
  all.push_back(Graph::constant(k));
  for (const Expr f : factors) all.push_back(f);
  return Graph::nary(Kind::product, all);
}

void collect_terms(Expr e, const Rational* k, Few<Term>& terms, Rational& constant) {
  if (e.is(Kind::constant)) {
    constant = constant + *times(k, &e.value());
    return;
  }
  const auto factors = factors_without_number(e);
  if (factors.size() == 1 && factors[0].is(Kind::sum) && factors[0].args().size() <= flatten_limit) {
    const Rational* scale = e.is(Kind::product) ? times(k, &e.args()[0].value()) : k;
    for (const Expr term : factors[0].args()) collect_terms(term, scale, terms, constant);
  } else {
    terms.push_back(Term(e, k));
  }
}

/// base^(halves/2): √a counts as a half of its radicand, so that a/√a is √a.
struct Factor {
  Expr whole, base;
  long halves;
};

/// √a of something that is not a number: the roots that combine with powers of a.
bool is_root(Expr e) {
  return e.is(Kind::call) && e.function().kind() == Builtin::sqrt && !e.args()[0].is(Kind::constant);
}

void collect_factors(Expr e, Few<Factor>& factors, Few<Expr>& numbers) {
  if (e.is(Kind::constant)) {
    numbers.push_back(e);
  } else if (e.is(Kind::product) && e.args().size() <= flatten_limit) {
    for (const Expr factor : e.args()) collect_factors(factor, factors, numbers);
  } else {
    const Expr base = e.is(Kind::power) ? e.args()[0] : e;
    const long exponent = e.is(Kind::power) ? e.exponent() : 1;
    factors.push_back(is_root(base) ? Factor{e, base.args()[0], exponent} : Factor{e, base, 2 * exponent});
  }
}

/// The product of the numbers, as one of the graph.
Expr folded(std::span<const Expr> numbers) {
  if (numbers.empty()) return Expr(1);
  if (numbers.size() == 1) return numbers[0];
  Rational all = numbers[0].value();
  for (const Expr k : numbers.subspan(1)) all = all * k.value();
  return Graph::constant(checked(all));
}

[[noreturn]] void exponent_too_large() {
  throw TooLarge("number-too-large", "an exponent here is larger than anyone can mean",
                 "powers beyond a few million are not computed exactly",
                 "use a smaller exponent or a named parameter");
}

/// Appends base^(halves/2) as at most two factors: a whole power and √base or 1/√base.
void append_power(Expr base, long halves, Few<Expr>& out) {
  if (halves > exponent_limit || halves < -exponent_limit) exponent_too_large();
  const long whole = halves / 2;
  if (whole != 0) out.push_back(pow(base, static_cast<int>(whole)));
  if (halves % 2 == 0) return;
  const Expr root = Graph::call(Function::builtin(Builtin::sqrt), std::span<const Expr>(&base, 1));
  out.push_back(halves > 0 ? root : Graph::power(root, -1));
}

bool is_call(Expr e, Builtin which) { return e.is(Kind::call) && e.function().kind() == which; }

}  // namespace

Scaled split_coefficient(Expr e) {
  if (e.is(Kind::constant)) return {e.value(), Expr(1)};
  if (e.is(Kind::product) && e.args()[0].is(Kind::constant))
    return {e.args()[0].value(), scaled(one(), factors_without_number(e))};
  return {one(), e};
}

Expr sum(std::span<const Expr> args) {
  if (args.size() == 1) return args[0];
  Few<Term> terms;
  Rational constant;
  for (const Expr e : args) collect_terms(e, &one(), terms, constant);
  std::sort(terms.begin(), terms.end(), term_before);

  Few<Expr> out;
  for (std::size_t i = 0; i < terms.size();) {
    std::size_t j = i + 1;
    while (j < terms.size() && terms[j].is_like(terms[i])) ++j;
    if (j == i + 1) {  // nothing to collect
      const bool as_it_stood = terms[i].scale->is_one();
      out.push_back(as_it_stood ? terms[i].whole : scaled(*terms[i].coefficient, terms[i].factors()));
    } else {
      Rational k;
      for (std::size_t t = i; t < j; ++t) k = k + *terms[t].coefficient;
      if (!k.is_zero()) out.push_back(scaled(checked(k), terms[i].factors()));
    }
    i = j;
  }
  if (!constant.is_zero() || out.empty()) out.push_back(Graph::constant(checked(constant)));
  if (out.size() == 1) return out[0];
  std::sort(out.begin(), out.end(), before);
  return Graph::nary(Kind::sum, out);
}

Expr product(std::span<const Expr> args) {
  if (args.size() == 1) return args[0];
  Few<Factor> factors;
  Few<Expr> numbers, out;
  for (const Expr e : args) collect_factors(e, factors, numbers);
  const Expr constant = folded(numbers);
  if (constant.is_zero()) return constant;
  std::sort(factors.begin(), factors.end(),
            [](const Factor& a, const Factor& b) { return before(a.base, b.base); });

  if (!constant.is_one()) out.push_back(constant);
  const std::size_t first = out.size();
  bool nested = false;
  for (std::size_t i = 0; i < factors.size();) {
    long halves = factors[i].halves;
    std::size_t j = i + 1;
    for (; j < factors.size() && factors[j].base == factors[i].base; ++j) halves += factors[j].halves;
    if (j == i + 1) {  // nothing to collect
      out.push_back(factors[i].whole);
      i = j;
      continue;
    }
    const std::size_t before_it = out.size();
    append_power(factors[i].base, halves, out);
    // √(xy)·√(xy) has become xy, whose factors may combine with what is here already.
    for (std::size_t k = before_it; k < out.size(); ++k)
      nested = nested || out[k].is(Kind::product) || out[k].is(Kind::constant);
    i = j;
  }
  if (nested) return product(out);
  if (out.empty()) return constant;
  std::sort(out.begin() + first, out.end(), before);
  return out.size() == 1 ? out[0] : Graph::nary(Kind::product, out);
}

Expr pow(Expr base, int exponent) {
  if (exponent == 0) return Expr(1);
  if (exponent == 1) return base;
  if (base.is(Kind::constant)) {
    const Rational& b = base.value();
    if (b.is_zero() && exponent < 0) {
      throw Singular("division-by-zero", "division by an expression that is identically zero", "",
                     "remove the division, or check the expression in the denominator");
    }
    const auto size = static_cast<double>(b.bits()) * std::abs(static_cast<double>(exponent));
    if (size > static_cast<double>(bits_limit) && !b.is_one() && !(-b).is_one()) exponent_too_large();
    return Graph::constant(power(b, exponent));
  }
  if (base.is(Kind::power)) {
    const long e = static_cast<long>(base.exponent()) * exponent;
    if (e > exponent_limit || e < -exponent_limit) exponent_too_large();
    return pow(base.args()[0], static_cast<int>(e));
  }
  if (base.is(Kind::product)) {
    std::vector<Expr> factors(base.args().begin(), base.args().end());
    for (Expr& f : factors) f = pow(f, exponent);
    return product(factors);
  }
  if (is_call(base, Builtin::sqrt) && (exponent > 1 || exponent < -1)) {
    const Expr whole = pow(base.args()[0], exponent / 2);
    return exponent % 2 == 0 ? whole : product({whole, exponent > 0 ? base : Graph::power(base, -1)});
  }
  if (is_call(base, Builtin::exp)) return exp(Expr(exponent) * base.args()[0]);
  return Graph::power(base, exponent);
}

/// b^e for e = p/2 through √, for other numbers and symbols through exp and log, which needs b > 0.
Expr pow(Expr base, Expr exponent) {
  if (exponent.is(Kind::constant)) {
    const Rational& e = exponent.value();
    const long whole = e.to_long(std::numeric_limits<long>::max());
    if (e.is_integer()) {
      if (whole > exponent_limit || whole < -exponent_limit) exponent_too_large();
      return pow(base, static_cast<int>(whole));
    }
    const Rational twice = e * Rational(2);
    const long p = twice.to_long(std::numeric_limits<long>::max());
    if (twice.is_integer() && p <= exponent_limit && p >= -exponent_limit)
      return pow(sqrt(base), static_cast<int>(p));
  }
  return exp(exponent * log(base));
}

Expr operator+(Expr a, Expr b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return sum({a, b});
}
Expr operator-(Expr a, Expr b) { return a + (-b); }
Expr operator*(Expr a, Expr b) {
  if (a.is_one()) return b;
  if (b.is_one()) return a;
  return product({a, b});
}
Expr operator/(Expr a, Expr b) { return a * pow(b, -1); }
Expr operator-(Expr a) {
  if (a.is(Kind::constant)) return Graph::constant(-a.value());
  if (!a.is(Kind::product)) return scaled(Expr(-1).value(), {&a, 1});
  const bool has_number = a.args()[0].is(Kind::constant);
  return scaled(has_number ? -a.args()[0].value() : Expr(-1).value(), factors_without_number(a));
}

Expr symbol(std::string_view name) { return Expr(Symbol::make(name)); }

}  // namespace rattleback
