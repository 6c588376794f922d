#pragma once
/// Taylor coefficients of the solution of y' = f(y, t), by the recurrences of automatic differentiation.
///
/// For every register r(t) of the code, r_k = r^(k)/k! follows from coefficients of its operands up to k; the rates then give
/// y_{k+1} = f_k/(k + 1). One sweep over the code per order.                                     (S.3)

#include <algorithm>
#include <optional>
#include <type_traits>

#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/evaluator.hpp>
#include <rattleback/native/series.hpp>

namespace rattleback {

/// The rates of code: inputs (y, t), outputs y'. Each thread needs its own.
template <class T>
class Jets {
 public:
  Jets(const Code& code, std::span<const T> parameters, std::size_t order)
      : code_(code), stride_(order + 1), steps_(code.body.size()) {
    std::size_t auxiliary = 0;
    for (std::size_t i = 0; i < code.body.size(); ++i) prepare(i, auxiliary);
    jets_.assign((code.registers() + auxiliary) * stride_ + 2 * series::margin, T(0));
    const std::vector<T> constants = constants_of<T>(code, parameters);
    for (std::size_t c = 0; c < constants.size(); ++c) jet(code.inputs + c)[0] = constants[c];
  }

  std::size_t order() const { return stride_ - 1; }
  /// Coefficients of the solution through (y, t).
  void operator()(const T* y, const T& t) {
    const std::size_t n = code_.outputs.size();
    for (std::size_t i = 0; i < n; ++i) jet(i)[0] = y[i];
    T* time = jet(n);
    time[0] = t;
    if (order() > 0) time[1] = T(1);
    for (std::size_t k = 0; k < order(); ++k) {
      for (std::size_t i = 0; i < code_.body.size(); ++i) extend(i, k);
      const T next = T(static_cast<double>(k + 1));
      for (std::size_t i = 0; i < n; ++i) jet(i)[k + 1] = jet(code_.outputs[i])[k] / next;
    }
  }
  /// y_i^(k)/k! for k = 0 … order.
  std::span<const T> coefficients(std::size_t i) const {
    return {jets_.data() + series::margin + i * stride_, stride_};
  }

 private:
  struct Step {
    bool a_constant = false, b_constant = false, skip = false;
    std::size_t other = 0, more = 0;  ///< jets of the cosine beside a sine; of 1 ± x² and its root
  };

  T* jet(std::size_t r) { return jets_.data() + series::margin + r * stride_; }

  bool is_constant(std::uint32_t r) const { return r >= code_.inputs && r < code_.first_result(); }

  /// sin and cos of one argument need each other: the first of them computes both.
  static std::optional<Op> partner(Op op) {
    switch (op) {
      case Op::sin: return Op::cos;
      case Op::cos: return Op::sin;
      case Op::sinh: return Op::cosh;
      case Op::cosh: return Op::sinh;
      default: return std::nullopt;
    }
  }

  void prepare(std::size_t i, std::size_t& auxiliary) {
    const Instruction& in = code_.body[i];
    steps_[i].a_constant = is_constant(in.a);
    steps_[i].b_constant = is_constant(in.b);
    if (steps_[i].skip) return;
    if (const auto other = partner(in.op)) {
      for (std::size_t j = i + 1; j < code_.body.size(); ++j) {
        if (code_.body[j].op != *other || code_.body[j].a != in.a) continue;
        steps_[i].other = code_.first_result() + j;
        steps_[j].skip = true;
        return;
      }
    }
    steps_[i].other = code_.registers() + auxiliary++;
    steps_[i].more = code_.registers() + auxiliary++;
  }

  /// Σ_{j=from}^{to} a_j b_{k−j}.
  T convolution(const T* a, const T* b, std::size_t from, std::size_t to, std::size_t k) const {
    if constexpr (std::is_same_v<T, double>) {
      if (to >= from + code_sizes::series_product.count)
        return series_.product(a + from, b + (k - from), to + 1 - from);
    }
    T total(0);
    for (std::size_t j = from; j <= to; ++j) total = total + a[j] * b[k - j];
    return total;
  }
  /// (1/k) Σ_{j=1}^{to} j a_j b_{k−j}.
  T weighted(const T* a, const T* b, std::size_t to, std::size_t k) const {
    const T order = T(static_cast<double>(k));
    if constexpr (std::is_same_v<T, double>) {
      if (to > code_sizes::series_product.count) return series_.slope_product(a + 1, b + (k - 1), to) / order;
    }
    T total(0);
    for (std::size_t j = 1; j <= to; ++j) total = total + T(static_cast<double>(j)) * a[j] * b[k - j];
    return total / order;
  }
  T square(const T* a, std::size_t k) const {
    const std::size_t half = (k + 1) / 2;
    T total = half == 0 ? T(0) : convolution(a, a, 0, half - 1, k);
    total = total + total;
    return k % 2 == 0 ? total + a[k / 2] * a[k / 2] : total;
  }
  /// f with f² = a, given f_0 … f_{k−1}.
  T root(const T* a, const T* f, std::size_t k) const {
    using std::sqrt;
    if (k == 0) return sqrt(a[0]);
    return (a[k] - convolution(f, f, 1, k - 1, k)) / (f[0] + f[0]);
  }
  /// f with u f' = a'.
  T slope(const T* a, const T* u, const T* f, std::size_t k) const {
    return (a[k] - (k > 1 ? weighted(f, u, k - 1, k) : T(0))) / u[0];
  }

  void extend(std::size_t i, std::size_t k) {
    const Step& s = steps_[i];
    if (s.skip) return;
    const Instruction& in = code_.body[i];
    const T *a = jet(in.a), *b = jet(in.b);
    T* f = jet(code_.first_result() + i);
    T* g = s.other == 0 ? f : jet(s.other);
    switch (in.op) {
      case Op::add: f[k] = a[k] + b[k]; return;
      case Op::sub: f[k] = a[k] - b[k]; return;
      case Op::neg: f[k] = -a[k]; return;
      case Op::mul:
        f[k] = s.a_constant   ? a[0] * b[k]
               : s.b_constant ? a[k] * b[0]
               : in.a == in.b ? square(a, k)
                              : convolution(a, b, 0, k, k);
        return;
      case Op::div:
        f[k] = s.b_constant || k == 0 ? a[k] / b[0] : (a[k] - convolution(b, f, 1, k, k)) / b[0];
        return;
      case Op::sqrt: f[k] = root(a, f, k); return;
      case Op::abs: f[k] = a[0] < T(0) ? -a[k] : a[k]; return;
      default: break;
    }
    if (k == 0) return begin(in.op, a, f, g, s);
    switch (in.op) {
      case Op::sin:
      case Op::cos: {
        T *sine = in.op == Op::sin ? f : g, *cosine = in.op == Op::sin ? g : f;
        sine[k] = weighted(a, cosine, k, k);
        cosine[k] = -weighted(a, sine, k, k);
        return;
      }
      case Op::sinh:
      case Op::cosh:
        f[k] = weighted(a, g, k, k);
        g[k] = weighted(a, f, k, k);
        return;
      case Op::exp: f[k] = weighted(a, f, k, k); return;
      case Op::log: f[k] = slope(a, a, f, k); return;
      case Op::tan:
      case Op::tanh:  // g = 1 ± f²
        f[k] = weighted(a, g, k, k);
        g[k] = in.op == Op::tan ? square(f, k) : -square(f, k);
        return;
      case Op::atan:
      case Op::atanh:
        g[k] = in.op == Op::atan ? square(a, k) : -square(a, k);
        f[k] = slope(a, g, f, k);
        return;
      default: {  // asin, acos, asinh, acosh: w f' = ± a' with w² = ± 1 ± x²
        T* u = jet(s.more);
        u[k] = in.op == Op::asin || in.op == Op::acos ? -square(a, k) : square(a, k);
        g[k] = root(u, g, k);
        if (in.op == Op::acos) {
          f[k] = -(a[k] + (k > 1 ? weighted(f, g, k - 1, k) : T(0))) / g[0];
        } else {
          f[k] = slope(a, g, f, k);
        }
      }
    }
  }

  /// Values: k = 0 of the functions above.
  void begin(Op op, const T* a, T* f, T* g, const Step& s) {
    const T one(1), x = a[0];
    f[0] = applied(op, x, x);
    if (const auto other = partner(op)) {
      g[0] = applied(*other, x, x);
      return;
    }
    switch (op) {
      case Op::tan: g[0] = one + f[0] * f[0]; return;
      case Op::tanh: g[0] = one - f[0] * f[0]; return;
      case Op::atan: g[0] = one + x * x; return;
      case Op::atanh: g[0] = one - x * x; return;
      case Op::asin:
      case Op::acos: jet(s.more)[0] = one - x * x; break;
      case Op::asinh: jet(s.more)[0] = one + x * x; break;
      case Op::acosh: jet(s.more)[0] = x * x - one; break;
      default: return;
    }
    g[0] = applied(Op::sqrt, jet(s.more)[0], x);
  }

  const Code& code_;
  const series::Functions& series_ = series::functions();
  std::size_t stride_;
  std::vector<Step> steps_;
  std::vector<T> jets_;  ///< with a margin on both sides
};

}  // namespace rattleback
