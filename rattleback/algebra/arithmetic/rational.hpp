#pragma once
/// Exact rational numbers of any size; small ones live in two words without allocation.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <flint/fmpq.h>

namespace rattleback {

class Rational {
 public:
  Rational() noexcept { fmpq_init(value_); }
  Rational(long integer) : Rational() { fmpq_set_si(value_, integer, 1); }  // NOLINT: numbers are rationals
  Rational(int integer) : Rational(static_cast<long>(integer)) {}           // NOLINT: likewise
  Rational(long numerator, long denominator);
  Rational(const Rational& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(Rational other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  /// From "12", "-3", "5/7"; the text must be well formed.
  static Rational from_text(std::string_view text);
  /// The exact value of a finite double.
  static Rational from_double(double number);

  bool is_zero() const { return fmpq_is_zero(value_) != 0; }
  bool is_one() const { return fmpq_is_one(value_) != 0; }
  bool is_integer() const { return fmpz_is_one(fmpq_denref(value_)) != 0; }
  int sign() const { return fmpq_sgn(value_); }
  /// The value, when it is an integer that fits; otherwise `otherwise`.
  long to_long(long otherwise) const;
  double to_double() const;
  std::string text() const;
  std::uint64_t hash() const;
  /// Bits of the larger of numerator and denominator: what arithmetic with this number costs.
  std::size_t bits() const;

  Rational numerator() const;
  Rational denominator() const;

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator/(const Rational& a, const Rational& b);  ///< b ≠ 0
  Rational operator-() const;
  friend bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(a.value_, b.value_) != 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return fmpq_cmp(a.value_, b.value_) <=> 0;
  }

  const fmpq* raw() const { return value_; }
  fmpq* raw() { return value_; }

 private:
  fmpq_t value_;
};

/// base^exponent; base ≠ 0 when the exponent is negative.
Rational power(const Rational& base, long exponent);
/// |r| = s² · f with f a square-free integer: the pair (s, f). Trial division up to a bound: f may keep a large square.
std::pair<Rational, Rational> square_part(const Rational& r);

}  // namespace rattleback
