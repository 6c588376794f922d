#pragma once
/// Speeds for every configuration at which the constraints are independent.

#include <optional>
#include <vector>

#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {

/// The system with some of the velocities as its speeds.
struct SpeedChart {
  System system;
  Expr minor;  ///< where it does not vanish, the constraints determine the other velocities
};

/// One for each choice of velocities that determine the others by A(q) v + b = 0: together they leave out the configurations
/// alone at which rank A drops. Empty for constraints that are not linear or affine in the velocities, and where the choices are
/// too many.
std::vector<SpeedChart> speed_charts(const System& system);

/// Do speeds of constraints of any kind degenerate only where rank ∂C/∂v drops, at states without equations of motion? False also
/// where that is not seen.
bool degenerate_with_constraints(const System& system, const SolvedVelocities& v);

/// Speeds in which the fewest functions of the configuration are likely to matter: velocities of coordinates first, then components of
/// angular velocities in space. A ball on a turntable moves alike wherever it is in these, and not in components along the body's axes.
/// Nothing when the model has no rotations, or names its speeds.
std::optional<System> with_spatial_speeds(const System& system);

}  // namespace rattleback
