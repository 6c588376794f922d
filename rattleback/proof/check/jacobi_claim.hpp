#pragma once
/// Checks certificates of Jacobi's identity for the bracket of the motion, on D* and after reduction, by the algebra alone.

#include <string>
#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// On D*, in the frame e = (X_i, ∂/∂p_α), π^{iα} = ∂ψ^i/∂z^α and π^{αβ} = −⟨P, [X_α, X_β]⟩ with P = ∂L/∂v at z(q, p), which is stated.
///     J^{ijk} = Σ π^{lk} e_l[π^{ij}] − C_lm^k π^{li} π^{mj} over the cyclic i, j, k                         (W.3)
/// vanishes, or does not. On D*/G: generators that leave L alone, lifted to D* by their brackets with the X_α, covectors γ_a that span
/// what vanishes along them, and J(γ_a, γ_b, γ_c); functions C are Casimirs, π(dC, γ_a) = 0, constant along the orbits and
/// independent; a factor f satisfies (J.4).
std::vector<CheckedStep> jacobi_steps(const ClaimedSystem& claim, const Data& certificate);

/// "on D*: not Poisson", "on D*/G with se(2): Poisson", a Casimir, a factor: lines for a person.
std::vector<std::string> jacobi_stated(const Data& certificate);

}  // namespace rattleback
