#pragma once
/// The Taylor method: order and step follow from the tolerance, in any kind of number.

#include <rattleback/native/jets.hpp>
#include <rattleback/simulate/manifold.hpp>

namespace rattleback {

/// p = ⌈1 − ½ ln ε⌉ and h = ρ e⁻² with ρ the radius of convergence that the last two coefficients show
/// [Jorba and Zou 2005].                                                                          (S.4)
template <class T>
class Taylor {
 public:
  Taylor(const Flow& flow, double tolerance)
      : manifold_(flow),
        order_(static_cast<std::size_t>(std::max(4.0, std::ceil(1 - std::log(tolerance) / 2)))),
        jets_(flow.rates(), flow.parameter_values<T>(), order_) {}

  void start(const T& t, std::vector<T> y) {
    time = previous = t;
    state = std::move(y);
  }

  /// One step, not beyond `end`; false when no step is possible.
  bool step(const T& end) {
    jets_(state.data(), time);
    previous = time;
    T h = length();
    const T left = end - time;
    if (!(h > T(0))) return false;
    const bool last = !(h < left);
    if (last) h = left;
    if (!last && !(time + h > time)) return false;
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = value(i, h);
    time = last ? end : time + h;
    manifold_(time, state.data());
    return true;
  }

  /// The state at a time within the last step: the polynomial itself.
  void at(const T& t, T* y) const {
    for (std::size_t i = 0; i < state.size(); ++i) y[i] = value(i, t - previous);
    manifold_(t, y);
  }

  std::size_t order() const { return order_; }
  T time{}, previous{};
  std::vector<T> state;

 private:
  T value(std::size_t i, const T& h) const {
    const std::span<const T> c = jets_.coefficients(i);
    T total = c[order_];
    for (std::size_t k = order_; k-- > 0;) total = total * h + c[k];
    return total;
  }

  /// In logarithms, because coefficients may lie outside the range of double; 0 when one of them is not a number.
  T length() const {
    using std::abs, std::log, std::exp;
    T size(1), last(0), before(0);
    for (std::size_t i = 0; i < state.size(); ++i) {
      const std::span<const T> c = jets_.coefficients(i);
      if (!(c[order_] - c[order_] == T(0))) return T(0);
      size = std::max<T>(size, abs(c[0]));
      last = std::max<T>(last, abs(c[order_]));
      before = std::max<T>(before, abs(c[order_ - 1]));
    }
    const T p(static_cast<double>(order_));
    const T huge(1e300);
    const T a = last > T(0) ? exp(log(size / last) / p) : huge;
    const T b = before > T(0) ? exp(log(size / before) / (p - T(1))) : huge;
    const T rho = a < b ? a : b;
    return rho * T(std::exp(-2 - 0.7 / static_cast<double>(order_ - 1)));
  }

  mutable Manifold<T> manifold_;
  std::size_t order_;
  Jets<T> jets_;
};

}  // namespace rattleback
