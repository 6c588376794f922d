#pragma once
/// Dual numbers a + ε a' with ε² = 0: forward-mode automatic differentiation of code.

#include <memory>
#include <optional>

#include <rattleback/native/evaluator.hpp>

namespace rattleback {

template <class T>
struct Tangent {
  T value{}, slope{};
  Tangent() = default;
  Tangent(T v, T s = T(0)) : value(v), slope(s) {}  // NOLINT: numbers are constant duals

  friend Tangent operator+(const Tangent& a, const Tangent& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend Tangent operator-(const Tangent& a, const Tangent& b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  friend Tangent operator-(const Tangent& a) { return {-a.value, -a.slope}; }
  friend Tangent operator*(const Tangent& a, const Tangent& b) {
    return {a.value * b.value, a.value * b.slope + a.slope * b.value};
  }
  friend Tangent operator/(const Tangent& a, const Tangent& b) {
    const T q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
  }
  friend bool operator<(const Tangent& a, const Tangent& b) { return a.value < b.value; }
};

/// f with f' = slope at the value of a. A constant stays one even where the slope is infinite.
template <class T>
Tangent<T> chain(const Tangent<T>& a, T f, T slope) {
  return {f, a.slope == T(0) ? T(0) : slope * a.slope};
}

#define RATTLEBACK_TANGENT(name, derivative) \
  template <class T>                         \
  Tangent<T> name(const Tangent<T>& a) {     \
    const T x = a.value, f = std::name(x);   \
    return chain<T>(a, f, derivative);       \
  }
RATTLEBACK_TANGENT(sqrt, T(1) / (2 * f))
RATTLEBACK_TANGENT(sin, std::cos(x))
RATTLEBACK_TANGENT(cos, -std::sin(x))
RATTLEBACK_TANGENT(tan, 1 + f * f)
RATTLEBACK_TANGENT(asin, 1 / std::sqrt(1 - x * x))
RATTLEBACK_TANGENT(acos, -1 / std::sqrt(1 - x * x))
RATTLEBACK_TANGENT(atan, 1 / (1 + x * x))
RATTLEBACK_TANGENT(exp, f)
RATTLEBACK_TANGENT(log, 1 / x)
RATTLEBACK_TANGENT(sinh, std::cosh(x))
RATTLEBACK_TANGENT(cosh, std::sinh(x))
RATTLEBACK_TANGENT(tanh, 1 - f * f)
RATTLEBACK_TANGENT(asinh, 1 / std::sqrt(1 + x * x))
RATTLEBACK_TANGENT(acosh, 1 / std::sqrt(x * x - 1))
RATTLEBACK_TANGENT(atanh, 1 / (1 - x * x))
RATTLEBACK_TANGENT(abs, x < 0 ? T(-1) : T(1))
#undef RATTLEBACK_TANGENT

template <class T>
struct Numeral<Tangent<T>> {
  static Tangent<T> of(const Rational& r) { return {Numeral<T>::of(r)}; }
  static Tangent<T> pi() { return {Numeral<T>::pi()}; }
};

/// ∂y_i/∂x_j for j < columns: as code of their own, and where there is none, by one sweep of duals per column. Each thread needs
/// its own.
class Jacobian {
 public:
  Jacobian(const Code& code, std::span<const double> parameters, std::size_t columns);
  /// y = outputs, J(i, j) at j·outputs + i (columns one after the other).
  void operator()(const double* x, double* y, double* j);

 private:
  void by_duals(const double* x, double* y, double* j);

  std::size_t columns_;
  std::unique_ptr<const Code> tangents_;
  std::optional<Evaluator<double>> both_;
  std::vector<double> values_;
  Evaluator<Tangent<double>> f_;
  std::vector<Tangent<double>> x_, y_;
};

}  // namespace rattleback
