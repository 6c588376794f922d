#pragma once
/// Continuous solution of a run: the state at any time between its ends, like `sol` of SciPy's solve_ivp.

#include <span>
#include <vector>

#include <rattleback/simulate/runs/detailed_trajectory.hpp>

namespace rattleback {

/// Every step is kept as values of its dense output at Chebyshev's points, and evaluated by the barycentric formula [Berrut and
/// Trefethen 2004]:
///     p(t) = Σ_j w_j y_j/(t − t_j) / Σ_j w_j/(t − t_j),   w_j = (−1)^j, halved at both ends.                            (S.19)
/// With as many points as the method's polynomial has coefficients this is that polynomial, up to rounding.
class DenseOutput {
 public:
  /// `points` in each step, at least 2.
  DenseOutput(std::size_t dimension, std::size_t points);

  /// Keeps the last step, up to `end` where the motion ended within it, in states of the flow that was asked for.
  void add(const Stepper& stepper, double end, const ReportedState& reported);

  bool empty() const { return begins_.empty(); }
  double begin() const { return begins_.front(); }
  double end() const { return ends_.back(); }
  std::size_t dimension() const { return dimension_; }
  std::size_t steps() const { return begins_.size(); }

  /// The state at t, which lies between begin() and end().
  void at(double t, std::span<double> y) const;

 private:
  std::size_t dimension_, points_;
  std::vector<double> nodes_;          ///< in [−1, 1], from the left
  std::vector<double> begins_, ends_;  ///< of the steps
  std::vector<double> values_;         ///< step by step, point by point
};

/// Points that reproduce the polynomial of a method of this order; for series of automatic order as many as double can use.
std::size_t dense_points(const StepperRow& method);

}  // namespace rattleback
