#pragma once
/// A trajectory with details: samples at chosen times, states as the stepper has them, and a callback after every step.

#include <rattleback/simulate/trajectory.hpp>

namespace rattleback {

struct DetailedOptions {
  RunOptions run;
  std::vector<double> times =
      {};  ///< in place of run.samples: at these times, increasing and within the motion
  std::function<void(const Stepper&)> after_step = {};  ///< called after every step
};

/// A trajectory, with the states of its rows as the stepper has them: rotations as unit quaternions.
struct DetailedTrajectory {
  Trajectory run;
  std::vector<std::vector<double>> states, section_states;
};

DetailedTrajectory detailed_trajectory(const Flow& flow, std::span<const double> y,
                                       const DetailedOptions& options);

}  // namespace rattleback
