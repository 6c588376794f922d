#pragma once
/// Checks certificates of first integrals and invariant densities: their derivative along the claimed motion, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// Γ[f] = 0 for a function, or for each of several.
std::vector<CheckedStep> constant_steps(const ClaimedSystem& claim, const Data& certificate);
/// dE/dt = Q_i v^i − ∂L/∂t + λ_s v^i ∂C_s/∂v^i: power and work of the reactions vanish on D, whatever the motion is.
std::vector<CheckedStep> energy_steps(const ClaimedSystem& claim, const Data& certificate);
/// Γ[f] ≠ 0 at the state named; without one, somewhere.
std::vector<CheckedStep> not_constant_steps(const ClaimedSystem& claim, const Data& certificate);
/// f = 0 at every admissible state.
std::vector<CheckedStep> zero_steps(const ClaimedSystem& claim, const Data& certificate);
std::vector<CheckedStep> not_zero_steps(const ClaimedSystem& claim, const Data& certificate);
/// (M.7) holds, or fails at the state named.
std::vector<CheckedStep> density_steps(const ClaimedSystem& claim, const Data& certificate);
std::vector<CheckedStep> not_a_density_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
