#pragma once
/// Projection of states: unit quaternions, admissible velocities.

#include <optional>

#include <rattleback/simulate/flow.hpp>

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

 private:
  const Flow& flow_;
  std::optional<Evaluator<T>> project_;
  std::vector<T> x_;
};

}  // namespace rattleback
