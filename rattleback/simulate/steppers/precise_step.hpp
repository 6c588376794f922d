#pragma once
/// Runge–Kutta methods of constant step as templates over the number type: rk4 and Gauss–Legendre, whose coefficients are known exactly.

#include <optional>
#include <string>

#include <rattleback/simulate/states/manifold.hpp>

namespace rattleback {

/// k_i = f(t + c_i h, y + h Σ_j a_ij k_j), y + h Σ b_i k_i.
template <class T>
struct ButcherTableau {
  std::vector<std::vector<T>> a;
  std::vector<T> b, c;
  std::size_t order;
  bool is_explicit;
};

/// Of `rk4`, `gauss4` or `gauss6`; of the other methods no coefficients are known in more digits.
template <class T>
std::optional<ButcherTableau<T>> exact_tableau(const std::string& method) {
  using std::sqrt;
  const auto q = [](double a, double b) { return T(a) / T(b); };
  const T zero(0), half = q(1, 2);
  if (method == "rk4")
    return ButcherTableau<T>{{{}, {half}, {zero, half}, {zero, zero, T(1)}},
                             {q(1, 6), q(1, 3), q(1, 3), q(1, 6)},
                             {zero, half, half, T(1)},
                             4,
                             true};
  if (method == "gauss4") {
    const T r = sqrt(T(3)) / T(6);
    return ButcherTableau<T>{
        {{q(1, 4), q(1, 4) - r}, {q(1, 4) + r, q(1, 4)}}, {half, half}, {half - r, half + r}, 4, false};
  }
  if (method == "gauss6") {
    const T s = sqrt(T(15)), r = s / T(10);
    return ButcherTableau<T>{{{q(5, 36), q(2, 9) - s / T(15), q(5, 36) - s / T(30)},
                              {q(5, 36) + s / T(24), q(2, 9), q(5, 36) - s / T(24)},
                              {q(5, 36) + s / T(30), q(2, 9) + s / T(15), q(5, 36)}},
                             {q(5, 18), q(4, 9), q(5, 18)},
                             {half - r, half, half + r},
                             6,
                             false};
  }
  return std::nullopt;
}

/// The interface of Taylor<T>.
template <class T>
class ConstantStep {
 public:
  ConstantStep(const Flow& flow, ButcherTableau<T> method, double step, double epsilon)
      : method_(std::move(method)),
        n_(flow.dimension()),
        step_(step),
        epsilon_(epsilon),
        f_(flow.rates(), flow.parameter_values<T>()),
        manifold_(flow),
        k_(method_.b.size(), std::vector<T>(n_, T(0))),
        x_(n_ + 1),
        rate_(n_) {}

  void start(const T& t, std::vector<T> y) {
    time = previous = t;
    state = before_ = std::move(y);
    f(time, state, rate_);
    rate_before_ = rate_;
  }

  /// One step, not beyond `end`; false when the stages have no solution or the state is no longer a number.
  bool step(const T& end) {
    const T left = end - time;
    const bool last = left < step_ * T(1 + 1e-10);
    const T h = last ? left : step_;
    if (!solve(h)) return false;
    previous = time;
    before_ = state;
    rate_before_ = rate_;
    for (std::size_t s = 0; s < method_.b.size(); ++s)
      for (std::size_t i = 0; i < n_; ++i) state[i] = state[i] + h * method_.b[s] * k_[s][i];
    time = last ? end : time + h;
    manifold_(time, state.data());
    f(time, state, rate_);
    for (const T& x : state)
      if (!(x - x == T(0))) return false;
    return true;
  }

  /// Hermite's cubic through both ends and their rates.
  void at(const T& t, T* y) const {
    const T h = time - previous, s = (t - previous) / h, r = T(1) - s;
    for (std::size_t i = 0; i < n_; ++i) {
      const T rise = state[i] - before_[i];
      y[i] = before_[i] * r + state[i] * s +
             s * r * (r * (h * rate_before_[i] - rise) - s * (h * rate_[i] - rise));
    }
  }

  std::size_t order() const { return method_.order; }
  T time{}, previous{};
  std::vector<T> state;

 private:
  void f(const T& t, const std::vector<T>& y, std::vector<T>& rate) {
    std::copy(y.begin(), y.end(), x_.begin());
    x_.back() = t;
    f_(x_.data(), rate.data());
  }

  /// One sweep over the stages; the largest change of h k.
  T sweep(const T& h) {
    using std::abs;
    T change(0);
    std::vector<T> stage(n_), rate(n_);
    for (std::size_t s = 0; s < method_.b.size(); ++s) {
      stage = state;
      for (std::size_t j = 0; j < method_.a[s].size(); ++j)
        for (std::size_t i = 0; i < n_; ++i) stage[i] = stage[i] + h * method_.a[s][j] * k_[j][i];
      f(time + method_.c[s] * h, stage, rate);
      for (std::size_t i = 0; i < n_; ++i) change = std::max<T>(change, abs(h * (rate[i] - k_[s][i])));
      std::swap(k_[s], rate);
    }
    return change;
  }

  /// The stages by fixed-point iteration: each sweep reduces the error by a factor of about h |∂f/∂y|.
  bool solve(const T& h) {
    using std::abs;
    if (method_.is_explicit) {
      sweep(h);
      return true;
    }
    T scale(1), before(1e300);
    for (const T& x : state) scale = std::max<T>(scale, abs(x));
    for (int k = 0; k < 1000; ++k) {
      const T change = sweep(h);
      if (change < T(epsilon_) * scale) return true;
      if (k > 3 && !(change < before)) return before < T(100 * epsilon_) * scale;  // at rounding, or stuck
      before = change;
    }
    return false;
  }

  ButcherTableau<T> method_;
  std::size_t n_;
  T step_;
  double epsilon_;
  Evaluator<T> f_;
  Manifold<T> manifold_;
  std::vector<std::vector<T>> k_;
  std::vector<T> x_, rate_, before_, rate_before_;
};

}  // namespace rattleback
