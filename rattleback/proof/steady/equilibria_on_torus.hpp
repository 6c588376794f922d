#pragma once
/// Equilibria on a torus, all of them at the model's values, enclosed with proof.

#include <optional>
#include <vector>

#include <rattleback/proof/steady/corotating_motion.hpp>

namespace rattleback {

/// Every equilibrium at the model's parameter values, in numbers: zeros of the force on the torus of the angles that matter, enclosed
/// (zeros_on_torus.hpp), with indices that add up to 0. Nothing where the motion is no such motion, is moved by a group, or they are not enclosed.
std::optional<std::vector<Numbers>> equilibria_on_torus(const System& system, const SolvedVelocities& v,
                                                        const CorotatingMotion& motion);

}  // namespace rattleback
