#pragma once
/// Arbitrary-precision floating point numbers (midpoints of Arb balls), for steppers that are templates over the number type.

#include <compare>
#include <string>

#include <rattleback/algebra/arithmetic/flint.hpp>
#include <rattleback/native/evaluator.hpp>

namespace rattleback {

class BigFloat {
 public:
  /// Of all numbers that this thread makes from now on.
  static void set_precision(long bits);
  static long precision();

  BigFloat() { arb_init(value_); }
  BigFloat(double x) : BigFloat() { arb_set_d(value_, x); }  // NOLINT: a double is one
  BigFloat(const BigFloat& other) : BigFloat() { arb_set(value_, other.value_); }
  BigFloat(BigFloat&& other) noexcept : BigFloat() { arb_swap(value_, other.value_); }
  BigFloat& operator=(BigFloat other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~BigFloat() { arb_clear(value_); }

  friend BigFloat operator+(const BigFloat& a, const BigFloat& b) { return made(arb_add, a, b); }
  friend BigFloat operator-(const BigFloat& a, const BigFloat& b) { return made(arb_sub, a, b); }
  friend BigFloat operator*(const BigFloat& a, const BigFloat& b) { return made(arb_mul, a, b); }
  friend BigFloat operator/(const BigFloat& a, const BigFloat& b) { return made(arb_div, a, b); }
  friend BigFloat operator-(const BigFloat& a) {
    BigFloat r;
    arb_neg(r.value_, a.value_);
    return r;
  }
  /// NaN compares unequal to everything.
  friend bool operator==(const BigFloat& a, const BigFloat& b) { return arb_eq(a.value_, b.value_) != 0; }
  friend bool operator<(const BigFloat& a, const BigFloat& b) { return arb_lt(a.value_, b.value_) != 0; }
  friend bool operator>(const BigFloat& a, const BigFloat& b) { return b < a; }

#define RATTLEBACK_BIG_FUNCTION(name) \
  friend BigFloat name(const BigFloat& a) { return made(arb_##name, a); }
  RATTLEBACK_BIG_FUNCTION(sqrt)
  RATTLEBACK_BIG_FUNCTION(sin)
  RATTLEBACK_BIG_FUNCTION(cos)
  RATTLEBACK_BIG_FUNCTION(tan)
  RATTLEBACK_BIG_FUNCTION(asin)
  RATTLEBACK_BIG_FUNCTION(acos)
  RATTLEBACK_BIG_FUNCTION(atan)
  RATTLEBACK_BIG_FUNCTION(exp)
  RATTLEBACK_BIG_FUNCTION(log)
  RATTLEBACK_BIG_FUNCTION(sinh)
  RATTLEBACK_BIG_FUNCTION(cosh)
  RATTLEBACK_BIG_FUNCTION(tanh)
  RATTLEBACK_BIG_FUNCTION(asinh)
  RATTLEBACK_BIG_FUNCTION(acosh)
  RATTLEBACK_BIG_FUNCTION(atanh)
#undef RATTLEBACK_BIG_FUNCTION
  friend BigFloat abs(const BigFloat& a) {
    BigFloat r;
    arb_abs(r.value_, a.value_);
    return r;
  }

  static BigFloat of(const Rational& r);
  static BigFloat pi();
  double to_double() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }
  /// All digits that the precision carries.
  std::string text() const;

 private:
  /// The radius is dropped: these are numbers, not enclosures.
  template <class F, class... Args>
  static BigFloat made(F f, const Args&... args) {
    BigFloat r;
    f(r.value_, args.value_..., precision());
    mag_zero(arb_radref(r.value_));
    return r;
  }
  arb_t value_;
};

template <>
struct Numeral<BigFloat> {
  static BigFloat of(const Rational& r) { return BigFloat::of(r); }
  static BigFloat pi() { return BigFloat::pi(); }
};

}  // namespace rattleback
