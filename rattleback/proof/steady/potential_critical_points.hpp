#pragma once
/// Critical points of the potential by Newton's method: states of rest, found without the equations of motion.

#include <vector>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>

namespace rattleback {

/// For coordinates on lines and circles, position constraints φ_k = 0 alone and no forces, with V = −L at rest:
///     ∂V/∂q + λ^k ∂φ_k/∂q = 0,   φ_k = 0                                                                       (O.16)
/// at the model's parameter values, from random starts; a minimum on a compact space is among them. Each is a state of rest, to be compared
/// with a list that was solved for by other means. Those at which speeds or metric degenerate are left out. Empty for other systems.
std::vector<Numbers> potential_critical_points(const System& system, const SolvedVelocities& v);

}  // namespace rattleback
