#pragma once
/// Checks certificates of optimal control: that the motions are normal extremals of a control problem, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// Velocities v = ρ(q, u), a cost c(q, u), and u(q, z), p_i(q, z) along the motion. With 𝓗 = p_i ρ^i − c they satisfy
///     ρ(q, u) = ψ(q, z),   ∂𝓗/∂u = 0,   Γ(p_i) = −X_i 𝓗 − C_il^m ψ^l p_m,                                    (C.39)
/// and ∂²𝓗/∂u∂u is regular: the motions are normal extremals, and the cost determines the controls.
std::vector<CheckedStep> control_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
