#pragma once
/// The Taylor method: order and step follow from the tolerance, in any kind of number.

#include <rattleback/simulate/manifold.hpp>
#include <rattleback/simulate/taylor_series.hpp>

namespace rattleback {

/// p = ⌈1 − ½ ln ε⌉ and h = ρ e⁻² with ρ the radius of convergence that the last two coefficients show
/// [Jorba and Zou 2005].                                                                          (S.4)
template <class T>
class Taylor {
 public:
  Taylor(const Flow& flow, double tolerance)
      : manifold_(flow),
        order_(static_cast<std::size_t>(std::max(4.0, std::ceil(1 - std::log(tolerance) / 2)))),
        series_(flow, order_) {}

  void start(const T& t, std::vector<T> y) {
    time = previous = t;
    state = std::move(y);
  }

  /// One step, not beyond `end`; false when no step is possible.
  bool step(const T& end) {
    series_(state.data(), time);
    previous = time;
    T h = length();
    const T left = end - time;
    if (!(h > T(0))) return false;
    const bool last = !(h < left);
    if (last) h = left;
    // Steps of a few units in the last place of t no longer move the state: it would stand before a singularity for ever.
    if (!last && !(time + h * T(0.0625) > time)) return false;
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
};

}  // namespace rattleback
