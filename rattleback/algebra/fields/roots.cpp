#include <rattleback/algebra/fields/roots.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

namespace rattleback {
namespace {

/// The primes of a square-free positive integer, as far as they are small.
std::vector<Expr> primes_of(const Rational& square_free) {
  std::vector<Expr> primes;
  long n = square_free.to_long(0);
  if (n == 0) return {Expr(square_free)};
  for (long p = 2; p * p <= n && p < 100'000; ++p) {
    if (n % p != 0) continue;
    primes.emplace_back(p);
    n /= p;
  }
  if (n != 1) primes.emplace_back(n);
  return primes;
}

long half_of_odd(long exponent) { return (exponent - 1) / 2; }  // exact: exponent − 1 is even

}  // namespace

void Roots::assume_positive(Expr f) {
  const Assumption a{f, Assumption::Kind::positive, "roots and logarithms of products were taken apart"};
  if (std::ranges::find(assumptions_, a) == assumptions_.end()) assumptions_.push_back(a);
}

namespace {

/// The value of a form at the trial-th sample point: generators take pseudo-random values, pairs lie on their
/// curve, roots are taken.
double sampled(Expr form, std::uint64_t trial) {
  allow_recursion();
  switch (form.kind()) {
    case Kind::constant: return form.value().to_double();
    case Kind::power: return std::pow(sampled(form.args()[0], trial), form.exponent());
    case Kind::sum:
    case Kind::product: {
      const bool is_sum = form.is(Kind::sum);
      double value = is_sum ? 0 : 1;
      for (const Expr a : form.args()) value = is_sum ? value + sampled(a, trial) : value * sampled(a, trial);
      return value;
    }
    case Kind::call: {
      const Builtin f = form.function().kind();
      const bool inward = f == Builtin::sqrt || f == Builtin::abs || f == Builtin::sin || f == Builtin::cos ||
                          f == Builtin::sinh || f == Builtin::cosh;
      if (inward) return value_of(f, sampled(form.args()[0], trial));
      break;
    }
    case Kind::symbol: break;
  }
  std::mt19937_64 random(form.hash() + trial);
  const double u = static_cast<double>(random() >> 11U) * 0x1p-53;
  const bool positive = known_sign(form) == KnownSign::positive || exponent_of_generator(form);
  const double width = static_cast<double>(1 + trial % 4);
  return width * (positive ? u : 2 * u - 1);
}

}  // namespace

/// Chooses signs for the factors whose product, with its sign, stands under one root: those at a point where the
/// product is positive and earlier choices hold.
void Roots::orient(const Field& field, std::span<const Expr> factors, bool negative) {
  constexpr std::uint64_t trials = search_limits::signs_of_roots.count;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    std::vector<int> signs;
    int product = negative ? -1 : 1;
    for (const Expr f : factors) {
      const double value = sampled(f, trial);
      const auto chosen = orientation_.find(f);
      const bool contradicts = chosen != orientation_.end() && chosen->second * value < 0;
      if (!std::isfinite(value) || value == 0 || contradicts) break;
      signs.push_back(value > 0 ? 1 : -1);
      product *= signs.back();
    }
    if (signs.size() < factors.size() || product < 0) continue;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      orientation_.emplace(factors[i], signs[i]);
      if (factors.size() > 1) assume_positive(field.expression(field.element(signs[i] * factors[i])));
    }
    return;
  }
  throw NoExactForm("the roots here are not real together");
}

/// |f|^power.
Expr Roots::magnitude(Expr f, long power) const {
  if (power % 2 == 0) return pow(f, static_cast<int>(power));
  if (const auto found = orientation_.find(f); found != orientation_.end()) {
    return pow(found->second * f, static_cast<int>(power));
  }
  return pow(f, static_cast<int>(power - 1)) * absolute(f);
}

/// Formulas of one model have the same radicands: where signs are not assumed, roots are remembered with their effort.
Expr Roots::root(Expr x) {
  allow_recursion();
  if (const auto found = known_roots_.find(x); found != known_roots_.end()) return found->second;
  if (splitting_ == RootSplitting::assumed) return known_roots_.emplace(x, searched_root(x)).first->second;
  struct Found {
    Expr form;
    bool left_together;
    Spent cost;
  };
  constexpr std::size_t most_known = search_limits::canonical_forms.count;
  thread_local std::unordered_map<Expr, Found> remembered;
  auto found = remembered.find(x);
  if (found == remembered.end()) {
    Roots alone(splitting_, form_of_);
    const Spent before = Spent::so_far();
    const Expr form = alone.searched_root(x);
    if (remembered.size() >= most_known) remembered.clear();
    found = remembered.insert_or_assign(x, Found{form, alone.left_together_, Spent::so_far().since(before)})
                .first;
  } else {
    found->second.cost.charge();
  }
  left_together_ = left_together_ || found->second.left_together;
  return known_roots_.emplace(x, found->second.form).first->second;
}

/// √(c Π f^k) = √c Π |f|^⌊k/2⌋ √(Π f over odd k).
Expr Roots::searched_root(Expr x) {
  const Field field(x);
  const Element value = field.element(x);
  if (value.is_zero()) return Expr(0);
  const SignedFactors f = signed_factors(field, value);
  const auto [outer, inner] = square_part(f.constant);
  std::vector<Expr> out{Expr(outer)};
  for (const Expr p : primes_of(inner)) out.push_back(sqrt(p));
  std::vector<Doubtful> doubtful;
  for (const auto& [base, exponent, nonnegative] : f.factors) {
    const Expr form = field.form(base);
    const bool odd = exponent % 2 != 0;
    const long half = odd ? half_of_odd(exponent) : exponent / 2;
    if (nonnegative) {
      out.push_back(pow(form, static_cast<int>(half)));
      if (odd) out.push_back(root_of_irreducible(field, base));
    } else if (odd) {
      doubtful.push_back({form, half});
    } else {
      out.push_back(magnitude(form, half));
    }
  }
  root_of_doubtful(field, doubtful, f.constant.sign() < 0, out);
  return product(out);
}

void Roots::root_of_doubtful(const Field& field, std::span<const Doubtful> doubtful, bool negative,
                             std::vector<Expr>& out) {
  if (doubtful.empty()) {
    if (negative) out.push_back(sqrt(Expr(-1)));
    return;
  }
  if (splitting_ == RootSplitting::honest && doubtful.size() > 1) {
    // The product is nonnegative where the root is real, so |Π f| = Π f: only differences in exponents need | |.
    std::vector<Expr> inside{Expr(negative ? -1 : 1)};
    for (const auto& [form, half] : doubtful) {
      inside.push_back(form);
      out.push_back(magnitude(form, half - doubtful[0].half));
    }
    left_together_ = true;
    const Expr together = field.form(field.element(product(inside)).numerator());
    out.push_back(pow(together, static_cast<int>(doubtful[0].half)));
    out.push_back(sqrt(together));
    return;
  }
  if (splitting_ == RootSplitting::assumed) {
    std::vector<Expr> factors;
    for (const Doubtful& d : doubtful) factors.push_back(d.form);
    orient(field, factors, negative);
  }
  for (const auto& [form, half] : doubtful) {
    // One doubtful factor alone: the root is real only where ±f ≥ 0, so there |f| = ±f.
    const int sigma = splitting_ == RootSplitting::assumed ? orientation_.at(form) : negative ? -1 : 1;
    const Element f = field.element(sigma * form);
    out.push_back(pow(field.form(f.numerator()), static_cast<int>(half)));
    out.push_back(root_of_irreducible(field, f.numerator()));
  }
}

Expr Roots::root_of_irreducible(const Field& field, const Polynomial& p) {
  for (const Relation& r : p.ring().relations()) {
    const bool nested = r.partner < 0 && p.degree(r.generator) == 1;
    if (!nested || !is_call_of(field.generators()[static_cast<std::size_t>(r.generator)], Builtin::sqrt))
      continue;
    if (const auto simple = denested(field, p, r)) return *simple;
    break;
  }
  return sqrt(field.form(p));
}

/// √(a + b r), r = √c, with N = a² − b²c:
///   N = n²         √((a + n)/2) + √((a − n)/2) for b ≥ 0; the difference for b ≤ 0 and n ≥ 0
///   b ≤ 0          √N/√(a − b r), so that of two conjugate roots only one is a generator
std::optional<Expr> Roots::denested(const Field& field, const Polynomial& p, const Relation& r) {
  const Polynomial bar = conjugate(p, r.generator);
  Polynomial n2 = p * bar;
  reduce(n2);
  const Polynomial twice_a = p + bar, twice_br = p - bar;
  const int sign_b = sign_of(field, twice_br);  // r itself is nonnegative
  if (sign_b == 0 || p.is_zero()) return std::nullopt;
  if (const auto n = square_root(n2)) {
    const Polynomial twice_n = *n + *n;
    if (sign_b > 0 || sign_of(field, *n) > 0) {
      const Expr u = root(field.form(twice_a + twice_n) / 4), v = root(field.form(twice_a - twice_n) / 4);
      return sign_b > 0 ? u + v : u - v;
    }
  }
  if (sign_b > 0) return std::nullopt;
  return root(field.form(n2)) / root(field.form(bar));
}

namespace {

/// log n as a sum over small primes and what remains.
void add_log_of_number(Rational n, long sign, std::vector<Expr>& terms) {
  constexpr long bound = search_limits::prime_in_a_logarithm.count;
  for (long p = 2; p < bound && !n.is_one(); ++p) {
    for (Rational q = n / Rational(p); q.is_integer(); q = n / Rational(p)) {
      n = q;
      terms.push_back(Expr(sign) * log(Expr(p)));
    }
  }
  if (!n.is_one()) terms.push_back(Expr(sign) * log(Expr(n)));
}

}  // namespace

/// log(c Π f^k) = log c + Σ k log f for positive c and f.
Expr Roots::logarithm(Expr x) {
  allow_recursion();
  const Field field(x);
  const Element value = field.element(x);
  if (value.is_zero()) throw NoExactForm("the logarithm of zero");
  const SignedFactors f = signed_factors(field, value);
  const bool negative = f.constant.sign() < 0;
  std::vector<Expr> terms;
  add_log_of_number(negative ? -f.constant.numerator() : f.constant.numerator(), 1, terms);
  add_log_of_number(f.constant.denominator(), -1, terms);
  std::vector<SignedFactors::Factor> doubtful;
  for (const auto& factor : f.factors) {
    const Expr form = field.form(factor.base);
    if (const auto u = exponent_of_generator(form)) {
      terms.push_back(Expr(factor.exponent) * form_of_(*u));
    } else if (is_call_of(form, Builtin::sqrt)) {
      terms.push_back(Expr(Rational(factor.exponent, 2)) * logarithm(form.args()[0]));
    } else if (factor.nonnegative) {
      terms.push_back(Expr(factor.exponent) * log(form));
    } else if (factor.exponent % 2 == 0) {
      terms.push_back(Expr(factor.exponent) * log(magnitude(form, 1)));
    } else {
      doubtful.push_back(factor);
    }
  }
  log_of_doubtful(field, doubtful, negative, terms);
  return terms.empty() ? Expr(0) : sum(terms);
}

void Roots::log_of_doubtful(const Field& field, std::span<const SignedFactors::Factor> doubtful,
                            bool negative, std::vector<Expr>& terms) {
  if (doubtful.empty()) {
    if (negative) terms.push_back(log(Expr(-1)));
    return;
  }
  if (doubtful.size() > 1 && splitting_ == RootSplitting::honest) {
    std::vector<Expr> together{Expr(negative ? -1 : 1)};
    for (const auto& f : doubtful) together.push_back(pow(field.form(f.base), static_cast<int>(f.exponent)));
    left_together_ = true;
    terms.push_back(log(product(together)));
    return;
  }
  if (splitting_ == RootSplitting::assumed) {
    std::vector<Expr> factors;
    for (const auto& f : doubtful) factors.push_back(field.form(f.base));
    orient(field, factors, negative);
  }
  for (const auto& f : doubtful) {
    const int sigma = splitting_ == RootSplitting::assumed ? orientation_.at(field.form(f.base))
                      : negative                           ? -1
                                                           : 1;
    terms.push_back(Expr(f.exponent) * log(field.form(sigma < 0 ? -f.base : f.base)));
  }
}

}  // namespace rattleback
