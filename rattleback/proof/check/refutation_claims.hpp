#pragma once
/// Checks certificates of non-existence, by the algebra alone: no multiplier, no Lie-Poisson bracket, no variational multipliers, no Lagrangian.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// No multiplier under the groups named. With Θ = f p̂, p̂ = p_α θ^α the momenta of ℓ_c without terms at rest, f constant along the
/// orbits, σ = d ln f and S/f = F a two-form on the base, (C.30) on the legs of D reads
///     (σ_β z^β) p_α − (p_β z^β) σ_α + F_βα z^β + (i_Γ dp̂ + dE)(X_α) = 0 for every z.                        (C.36)
/// At one configuration and several speeds these are linear equations for the numbers σ_α, F_αβ. They contradict each other; or
/// they leave one solution, stated as a form on Q, and it is not closed, or dF + σ∧F is not zero.
std::vector<CheckedStep> no_multiplier_steps(const ClaimedSystem& claim, const Data& certificate);

/// The same after the momenta J_i of commuting fields Y_i are fixed, with legs W_a, p̂ = p_a θ^a and v = w^a W_a + s^i Y_i:
///     (σ_b w^b) p_a − (p_b w^b) σ_a + F_ba w^b + (i_Γ dp̂ + dE − s^i dJ_i)(W_a) = 0 where J = μ.             (C.40)
/// Its second derivatives in w at constant J are linear equations for the σ_a alone. As above they contradict each other, or their
/// one solution is stated and is not closed, or d(f F) is not zero.
std::vector<CheckedStep> no_routh_steps(const ClaimedSystem& claim, const Data& certificate);

/// The brackets of the legs of D, projected on D along its orthogonal complement, are constants that violate Jacobi's identity,
///     ⟨X_γ, [X_α, X_β] − S_αβ^ε X_ε⟩ = 0.                                                                  (C.37)
std::vector<CheckedStep> no_lie_bracket_steps(const ClaimedSystem& claim, const Data& certificate);

/// No multipliers μ_a(t) make E_i(L − μ_a C^a) = Q_i along the motions. With fields W_b, ∂C^a/∂v^i W_b^i = δ^a_b, this asks for
///     E_α(C^a) μ_a = 0,   μ̇_b = (E(L) − Q)(W_b) − E(C^a)(W_b) μ_a,                                         (C.38)
/// and what follows by differentiation is, at a general state, a contradiction.
std::vector<CheckedStep> not_variational_steps(const ClaimedSystem& claim, const Data& certificate);

/// Second-order systems q̈ = f(q, q̇) without a regular Lagrangian: on the constraint each is the motion, and every g with g Φ, g ∇Φ, …
/// symmetric and vanishing cyclic sums g R is singular. (C.19)–(C.22). One that is said to differ from the motion has to.
std::vector<CheckedStep> no_lagrangian_steps(const ClaimedSystem& claim, const Data& certificate);

/// No variational multipliers, and no second-order system of those stated has q̈_1 = 0, q̈_a = Ξ_a(q_1) q̇_1 q̇_a, whichever coordinate
/// is q_1: no control problem (C.27) belongs to it. One that is said to differ from the motion has to.
std::vector<CheckedStep> no_control_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
