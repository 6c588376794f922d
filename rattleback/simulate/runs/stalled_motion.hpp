#pragma once
/// Detects a stepper that makes no progress, and the end of the time for computing.

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

/// Gives up a motion that does not get on: 10⁵ steps that bring it no 10⁻⁵ of its way at the start, or later add no 10⁻⁶ to the time it has
/// come to, where it chatters before a singularity. sweep/lane_formulas.hpp has the first for many.
class Progress {
 public:
  explicit Progress(double until) : until_(until) {}

  /// To be asked between steps; throws StepFailure.
  void require(const Stepper& stepper) { require(stepper.counts().steps, stepper.time()); }
  /// The same after so many steps, at a time that grows from 0.
  void require(std::size_t steps, double time) {
    constexpr std::size_t many = search_limits::steps_without_progress.count;
    if (steps < counted_) counted_ = 0;  // another stepper took over
    if (steps - counted_ <= many) return;
    const double moved = time - from_;
    if (!(moved > (from_ == 0 ? 1e-5 * until_ : 1e-6 * from_)))
      throw StepFailure(
          time,
          fmt::format("{} steps have not moved the time by more than {:.3g}: the motion is too fast, {}, or "
                      "the step is too short",
                      many, moved,
                      from_ == 0 ? "it starts at a singular state" : "it meets a singularity here"));
    counted_ = steps;
    from_ = time;
  }

 private:
  double until_, from_ = 0;
  std::size_t counted_ = 0;
};

/// Throws StepFailure when the time limit of the computation is over: what was computed before is kept.
inline void require_time(const Stepper& stepper) {
  try {
    Budget::check();
  } catch (const Exhausted& limit) {
    throw StepFailure(stepper.time(), limit.what());
  }
}

}  // namespace rattleback
