#pragma once
/// Checks certificates of Hamiltonization: the two-form, the change of time and the Hamiltonian, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// With conserved J_i, a one-form Θ = Θ_i(q, z) θ^i on D and closed two-forms S⁰, S^i on Q
///     i_Γ(dΘ + S⁰ + J_i S^i) + f dE = λ_i dJ_i:                                                            (C.33)
/// on J = μ the form −(dΘ + S⁰ + μ_i S^i) is closed, and Γ/f is Hamiltonian with the energy E. It is symplectic on the reduced space
/// when its rank there is twice the number of speeds that the momenta leave. Without momenta this is (C.30).
std::vector<CheckedStep> hamiltonian_steps(const ClaimedSystem& claim, const Data& certificate);

/// Functions p_α(q, z), as many as speeds, constants S_αβ^γ that satisfy Jacobi's identity, and ζ^α with dE = ζ^α dp_α,
///     Γ(p_α) + S_αβ^γ p_γ ζ^β = 0:                                                                          (C.34)
/// the motion of the p_α is Lie–Poisson with the energy as its Hamiltonian.
std::vector<CheckedStep> lie_poisson_steps(const ClaimedSystem& claim, const Data& certificate);

/// E_i(ℒ) = 0 along the motion for a Lagrangian ℒ(q, v) that is regular there: the motions are among its own.
std::vector<CheckedStep> lagrangian_steps(const ClaimedSystem& claim, const Data& certificate);

/// E_i(L − μ_a C^a) = Q_i along the motion with μ_a(q, z): it makes ∫ L − μ_a C^a stationary.
std::vector<CheckedStep> variational_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
