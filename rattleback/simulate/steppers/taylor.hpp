#pragma once
/// The Taylor method for ordinary differential equations, for any number type: order and step follow from the tolerance.

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/states/taylor_series.hpp>

namespace rattleback {

/// Does the code contain |x| or √x, which are not analytic at 0?
inline bool has_kinks(const Code& code) {
  return std::any_of(code.body.begin(), code.body.end(),
                     [](const Instruction& in) { return in.op == Op::abs || in.op == Op::sqrt; });
}

/// p = ⌈1 − ½ ln ε⌉ and h = ρ e⁻² with ρ the radius of convergence that the last two coefficients show
/// [Jorba and Zou 2005].                                                                          (S.4)
template <class T>
class Taylor {
 public:
  Taylor(const Flow& flow, double tolerance)
      : manifold_(flow),
        order_(static_cast<std::size_t>(std::max(4.0, std::ceil(1 - std::log(tolerance) / 2)))),
        series_(flow, order_),
        tolerance_(tolerance) {
    if (has_kinks(flow.rates())) rates_.emplace(flow, 1);
  }

  void start(const T& t, std::vector<T> y) {
    time = previous = t;
    state = std::move(y);
    slopes_.clear();
  }

  /// One step, not beyond `end`; false when no step is possible.
  bool step(const T& end) {
    series_(state.data(), time);
    if (has_left_solution()) return false;
    previous = time;
    T h = length();
    const T left = end - time;
    if (!(h > T(0))) return false;
    bool last = !(h < left);
    if (last) h = left;
    // Steps of a few units in the last place of t do not move the state: fail instead of stepping endlessly before a singularity.
    if (!last && !(time + h * T(0.0625) > time)) return false;
    for (T d = defect(h); !(d < T(1)); d = defect(h)) {
      if (!(time + h * T(0.03125) > time)) {
        if (!(d - d == T(0))) return false;  // the edge of the domain
        break;                               // a jump of the rates, which is crossed here
      }
      h = h * T(0.5);
      last = false;
    }
    slopes_.resize(state.size());
    for (std::size_t i = 0; i < state.size(); ++i) slopes_[i] = series_.slope(h, i);
    series_.value(h, state.data());
    time = last ? end : time + h;
    manifold_(time, state.data());
    return true;
  }

  /// The state at a time within the last step: the polynomial itself.
  void at(const T& t, T* y) const {
    series_.value(t - previous, y);
    manifold_(t, y);
  }

  std::size_t order() const { return order_; }
  T time{}, previous{};
  std::vector<T> state;

 private:
  /// Do the rates at the end of the last step differ from the slope of its polynomial by more than ∛ε, relatively? Close to a singularity the
  /// rates change within the rounding of the state, and a step would jump across it. Rates with kinks are left to `defect`.
  bool has_left_solution() const {
    if (slopes_.empty() || rates_) return false;
    using std::abs;
    T size(0), most(0);
    for (std::size_t i = 0; i < slopes_.size(); ++i) {
      const T now = series_.slope(T(0), i), d = abs(now - slopes_[i]);
      if (!(d - d == T(0))) return true;
      if (size < abs(now)) size = abs(now);
      if (most < d) most = d;
    }
    return size * T(std::cbrt(tolerance_)) < most;
  }

  /// The residual h ‖p′(h) − f(p(h))‖ at the end of the step, in units of the tolerance; NaN outside the domain of the rates.
  /// It shows the kinks of |x| and √(x²), which the Taylor coefficients do not show.
  T defect(const T& h) {
    if (!rates_) return T(0);
    std::vector<T> y(state.size());
    series_.value(h, y.data());
    manifold_(time + h, y.data());
    (*rates_)(y.data(), time + h);
    T size = series_.largest(0), most(0);
    if (size < T(1)) size = T(1);
    for (std::size_t i = 0; i < y.size(); ++i) {
      T d = series_.slope(h, i) - rates_->slope(T(0), i);
      if (!(d - d == T(0))) return d - d;
      if (d < T(0)) d = -d;
      if (most < d) most = d;
    }
    return most * h / (T(4 * tolerance_ * static_cast<double>(order_)) * size);
  }

  /// In logarithms, because coefficients may lie outside the range of double; 0 when one of them is not a number.
  T length() const {
    using std::log, std::exp;
    const T last = series_.largest(order_), before = series_.largest(order_ - 1);
    if (!(last - last == T(0))) return T(0);
    T size = series_.largest(0);
    if (size < T(1)) size = T(1);
    const T p(static_cast<double>(order_));
    const T huge(600);  // and a step of e⁶⁰⁰ is longer than any motion
    const T a = last > T(0) ? log(size / last) / p : huge;
    const T b = before > T(0) ? log(size / before) / (p - T(1)) : huge;
    const T rho = a < b ? a : b;
    return exp(rho - T(2 + 0.7 / static_cast<double>(order_ - 1)));
  }

  mutable Manifold<T> manifold_;
  std::size_t order_;
  TaylorSeries<T> series_;
  double tolerance_;
  std::vector<T> slopes_;                 ///< of the polynomial, at the end of the last step
  std::optional<TaylorSeries<T>> rates_;  ///< of order 1, where the rates may have kinks
};

}  // namespace rattleback
