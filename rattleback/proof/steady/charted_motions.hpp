#pragma once
/// Steady motions in several charts of speeds, so that none is left out where the model's own speeds degenerate.

#include <memory>
#include <vector>

#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// The model with one choice of speeds, and the steady motions that these see and earlier charts do not.
struct MotionChart {
  System system;
  SolvedVelocities v;
  SteadyMotions found;
};

struct ChartedMotions {
  std::vector<std::unique_ptr<MotionChart>> charts;  ///< the model's own speeds first
  bool covers =
      true;  ///< every state at which the constraints are independent is seen by one whose list is complete
  bool by_charts = false;  ///< the charts of speed_charts.hpp are enough for that
  bool everywhere = true;  ///< and the constraints are independent at every state

  bool empty() const;  ///< no steady motion in any of them
  bool complete()
      const;  ///< the equations (O.10) were solved in the first or in charts that cover, and Newton's method finds nothing else in any
};

/// Where the model's speeds are not regular, the charts of speed_charts.hpp are asked one after another.
ChartedMotions charted_motions(const System& system, const SolvedVelocities& v);

}  // namespace rattleback
