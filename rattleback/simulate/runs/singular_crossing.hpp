#pragma once
/// Singular positions of closed loops: where the constraints lose their rank, branches of motion meet. The motion goes on along the
/// smooth branch, by a Taylor polynomial from a regular state before it, or it ends.

#include <memory>
#include <optional>
#include <string>

#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

/// A step across a singular position, in place of the stepper's own; where it fails, a step up to it, and why.
struct SingularCrossing {
  std::unique_ptr<const Stepper> step;
  std::optional<std::string> failure;
  double at = 0;  ///< when the rank is lost
};

/// Watches a flow in all velocities (S.7), whose equations divide by what vanishes with the rank. Others have no such positions.
class RankWatch {
 public:
  RankWatch(const Flow& flow, double t, std::span<const double> y);
  ~RankWatch();
  RankWatch(const RankWatch&) = delete;
  RankWatch& operator=(const RankWatch&) = delete;

  /// After a step: does the motion meet a singular position there, or soon?
  std::optional<SingularCrossing> crossing(const Stepper& stepper, double until);

 private:
  /// The least singular value of A, each row in units of the longest that it has been.
  double regularity(double t, std::span<const double> y);
  double least_within(const Stepper& stepper);

  const Flow& flow_;
  std::optional<Observer> rows_, constraints_;
  std::ptrdiff_t constraints_count_ = 0;
  double safe_time_ = 0, farthest_ = 0;
  std::vector<double> safe_state_, longest_;
  bool passing_ = false;  ///< near a singular position that the motion does not meet
};

}  // namespace rattleback
