#include <rattleback/algebra/arithmetic/rational.hpp>

#include <flint/ulong_extras.h>

#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/flint.hpp>

namespace rattleback {

Rational::Rational(long numerator, long denominator) : Rational() {
  if (denominator == 0) throw Bug("a rational number with denominator 0");
  fmpz_set_si(fmpq_numref(value_), numerator);
  fmpz_set_si(fmpq_denref(value_), denominator);
  fmpq_canonicalise(value_);
}

Rational Rational::from_text(std::string_view text) {
  Rational r;
  if (fmpq_set_str(r.value_, std::string(text).c_str(), 10) != 0)
    throw Bug("malformed number " + std::string(text));
  return r;
}

Rational Rational::from_double(double number) {
  if (std::isinf(number))
    throw TooLarge("number-too-large", "a number of the model is larger than every double, 1.8e308",
                   "motions are computed in doubles", "choose units in which it is smaller");
  if (std::isnan(number)) throw Bug("a number that is not finite has no exact value");
  int exponent = 0;
  const double mantissa = std::frexp(number, &exponent);
  Rational r(static_cast<long>(std::ldexp(mantissa, 53)));
  return r * power(Rational(2), exponent - 53);
}

long Rational::to_long(long otherwise) const {
  if (!is_integer() || fmpz_fits_si(fmpq_numref(value_)) == 0) return otherwise;
  return fmpz_get_si(fmpq_numref(value_));
}

double Rational::to_double() const {
  constexpr slong exact =
      slong{1} << 53;  // whole numbers up to this are doubles, and a quotient of two is rounded once
  const fmpz p = *fmpq_numref(value_), q = *fmpq_denref(value_);
  if (!COEFF_IS_MPZ(p) && !COEFF_IS_MPZ(q) && p <= exact && p >= -exact && q <= exact)
    return static_cast<double>(p) / static_cast<double>(q);
  arb_t ball;
  arb_init(ball);
  arb_set_fmpq(ball, value_, 64);
  const double d = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  arb_clear(ball);
  return d;
}

std::string Rational::text() const {
  char* raw = fmpq_get_str(nullptr, 10, value_);
  std::string s(raw);
  flint_free(raw);
  return s;
}

namespace {

std::uint64_t hash_of(const fmpz_t z) {
  std::uint64_t h = fmpz_sgn(z) < 0 ? 0x9E3779B97F4A7C15U : 0;
  if (fmpz_fits_si(z) != 0) return h ^ static_cast<std::uint64_t>(fmpz_get_si(z));
  fmpz_t residue;
  fmpz_init(residue);
  h ^= fmpz_mod_ui(residue, z, 0xFFFFFFFFFFFFFFC5U);  // the largest 64-bit prime
  fmpz_clear(residue);
  return h;
}

}  // namespace

std::uint64_t Rational::hash() const {
  return hash_of(fmpq_numref(value_)) * 0xBF58476D1CE4E5B9U + hash_of(fmpq_denref(value_));
}

std::size_t Rational::bits() const {
  return std::max(fmpz_bits(fmpq_numref(value_)), fmpz_bits(fmpq_denref(value_)));
}

Rational Rational::numerator() const {
  Rational r;
  fmpz_set(fmpq_numref(r.value_), fmpq_numref(value_));
  return r;
}

Rational Rational::denominator() const {
  Rational r;
  fmpz_set(fmpq_numref(r.value_), fmpq_denref(value_));
  return r;
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational r;
  fmpq_add(r.value_, a.value_, b.value_);
  return r;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational r;
  fmpq_sub(r.value_, a.value_, b.value_);
  return r;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational r;
  fmpq_mul(r.value_, a.value_, b.value_);
  return r;
}

Rational operator/(const Rational& a, const Rational& b) {
  if (b.is_zero()) throw Bug("division of a number by zero");
  Rational r;
  fmpq_div(r.value_, a.value_, b.value_);
  return r;
}

Rational Rational::operator-() const {
  Rational r;
  fmpq_neg(r.value_, value_);
  return r;
}

Rational power(const Rational& base, long exponent) {
  if (base.is_zero() && exponent < 0) throw Bug("a negative power of zero");
  Rational r;
  fmpq_pow_si(r.raw(), base.raw(), exponent);
  return r;
}

namespace {

/// z = s² f with f free of squares of primes below the bound. Large cofactors are tested for being a square whole.
void take_squares(fmpz_t s, fmpz_t f, const fmpz_t z) {
  constexpr ulong bound = 10'000;
  fmpz_one(s);
  fmpz_one(f);
  fmpz_t rest, p;
  fmpz_init_set(rest, z);
  fmpz_init(p);
  for (ulong prime = 2; prime < bound && fmpz_cmp_ui(rest, 1) > 0; prime = n_nextprime(prime, 1)) {
    if (fmpz_cmp_ui(rest, prime * prime) < 0) break;
    fmpz_set_ui(p, prime);
    const auto times = static_cast<ulong>(fmpz_remove(rest, rest, p));
    fmpz_pow_ui(p, p, times / 2);
    fmpz_mul(s, s, p);
    if (times % 2 == 1) fmpz_mul_ui(f, f, prime);
  }
  if (fmpz_is_square(rest) != 0) {
    fmpz_sqrt(rest, rest);
    fmpz_mul(s, s, rest);
  } else {
    fmpz_mul(f, f, rest);
  }
  fmpz_clear(p);
  fmpz_clear(rest);
}

}  // namespace

/// √(n/d) = √(nd)/d, so the square part of n·d over d and the square-free part of n·d.
std::pair<Rational, Rational> square_part(const Rational& r) {
  fmpz_t nd, s, f;
  fmpz_init(nd);
  fmpz_init(s);
  fmpz_init(f);
  fmpz_mul(nd, fmpq_numref(r.raw()), fmpq_denref(r.raw()));
  fmpz_abs(nd, nd);
  take_squares(s, f, nd);
  std::pair<Rational, Rational> parts;
  fmpq_set_fmpz_frac(parts.first.raw(), s, fmpq_denref(r.raw()));
  fmpz_set(fmpq_numref(parts.second.raw()), f);
  fmpz_clear(f);
  fmpz_clear(s);
  fmpz_clear(nd);
  return parts;
}

}  // namespace rattleback
