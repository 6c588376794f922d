#pragma once
/// Detects a stepper that makes no progress: 10⁵ steps for less than 10⁻⁵ of the interval.

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

/// Throws StepFailure when 10⁵ steps have not brought the motion a 10⁻⁵ of its way; sweep/lane_formulas.hpp has the same for many.
inline void require_progress(const Stepper& stepper, double until) {
  constexpr std::size_t many = search_limits::steps_without_progress.count;
  if (stepper.counts().steps <= many || stepper.time() > 1e-5 * until) return;
  throw StepFailure(
      stepper.time(),
      fmt::format(
          "{} steps have not moved the time by more than {:.3g}: the motion is too fast, it starts at a "
          "singular state, or the step is too short",
          many, stepper.time()));
}

/// Throws StepFailure when the time limit of the computation is over: what was computed before is kept.
inline void require_time(const Stepper& stepper) {
  try {
    Budget::check();
  } catch (const Exhausted& limit) {
    throw StepFailure(stepper.time(), limit.what());
  }
}

}  // namespace rattleback
