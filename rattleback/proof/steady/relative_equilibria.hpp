#pragma once
/// All relative equilibria: solutions of algebraic equations on the configurations modulo the group.

#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// The equations (O.10) are solved for the speeds, for the rates along the group and for the configuration, which the group brings
/// to a slice: coordinates at fixed values, a rotation matrix at 1, Rx(tilt), or one that a unit vector γ determines. Parameters
/// are in general position. `complete`: every component was solved.
SteadyMotions relative_equilibria(const System& system, const SolvedVelocities& v);

}  // namespace rattleback
