#pragma once
/// Projection of numerical states onto the state manifold after a step: unit quaternions, admissible velocities.

#include <cmath>
#include <optional>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Takes a state back to its manifold after a step: removes what rounding and truncation added. Each thread needs its own.
template <class T>
class Manifold {
 public:
  explicit Manifold(const Flow& flow) : flow_(flow) {
    if (!flow.projection()) return;
    const std::vector<T> parameters = flow.parameter_values<T>();
    project_.emplace(*flow.projection(), parameters);
    x_.resize(flow.dimension() + 1);
  }

  void operator()(const T& t, T* y) {
    using std::sqrt;
    for (const std::size_t q : flow_.quaternions()) {
      const T square = y[q] * y[q] + y[q + 1] * y[q + 1] + y[q + 2] * y[q + 2] + y[q + 3] * y[q + 3];
      const T scale = T(1) / sqrt(square);
      for (std::size_t k = q; k < q + 4; ++k) y[k] = y[k] * scale;
    }
    if (!project_) return;
    std::copy(y, y + flow_.dimension(), x_.begin());
    x_.back() = t;
    (*project_)(x_.data(), y + flow_.first_speed());
  }

  /// Onto the constraints from afar. The projection is one Newton step, exact for linear and affine constraints; where they are nonlinear it
  /// is repeated until it changes nothing. False when it does not converge.
  bool settle(const T& t, T* y) {
    using std::abs;
    (*this)(t, y);
    if (!project_) return true;
    const std::size_t first = flow_.first_speed(), n = flow_.dimension();
    T last(0);
    constexpr int most_steps = search_limits::trial_projection.count;
    for (int step = 0; step < most_steps; ++step) {
      (*this)(t, y);
      T change(0), size(1);
      for (std::size_t k = first; k < n; ++k) {
        if (change < abs(y[k] - x_[k])) change = abs(y[k] - x_[k]);
        if (size < abs(y[k])) size = abs(y[k]);
        if (!(abs(y[k]) < T(1e30))) return false;
      }
      const bool is_small = change < size * T(1e-12);
      if (is_small && (change == T(0) || (step > 0 && !(change < last)))) return true;
      last = change;
    }
    return last < T(1e-12);
  }

 private:
  const Flow& flow_;
  std::optional<Evaluator<T>> project_;
  std::vector<T> x_;
};

}  // namespace rattleback
