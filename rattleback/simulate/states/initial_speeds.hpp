#pragma once
/// Speeds of an initial state: those whose velocities v = ψ(q, z) have the given values, or are nearest to them on the constraints.

#include <rattleback/simulate/states/start_point.hpp>

namespace rattleback {

/// The speeds z at the positions of the point. Throws Error[singular-state] where the constraints lose their rank,
/// [incomplete-initial-state] where the values given leave a speed open, [off-constraint] where they contradict the constraints.
Eigen::VectorXd find_speeds(StartPoint& start);

}  // namespace rattleback
