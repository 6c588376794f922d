#pragma once
/// A trajectory with details: samples at chosen times, states as the stepper has them, and a callback after every step.

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// A state of the stepper as one of the flow that was asked for: in its speeds again where all velocities took over from them.
using ReportedState = std::function<std::vector<double>(double t, std::span<const double> y)>;

struct DetailedOptions {
  RunOptions run;
  std::vector<double> times =
      {};  ///< in place of run.samples: at these times, increasing and within the motion
  std::function<void(const Stepper&, const ReportedState&)> after_step = {};  ///< called after every step
};

/// A trajectory, with the states of its rows as the flow has them: rotations as unit quaternions.
struct DetailedTrajectory {
  Trajectory run;
  std::vector<std::vector<double>> states, section_states;
};

DetailedTrajectory detailed_trajectory(const Flow& flow, std::span<const double> y,
                                       const DetailedOptions& options);

}  // namespace rattleback
