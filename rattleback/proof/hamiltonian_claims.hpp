#pragma once
/// What certificates of Hamiltonization claim, recomputed by the algebra alone.

#include <vector>

#include <rattleback/algebra/matrix.hpp>
#include <rattleback/proof/claimed_system.hpp>

namespace rattleback {

/// i_Γ dΘ + f dE on D, in the frame (X_i, ∂/∂z^α), for Θ = Θ_i(q, z) θ^i and Γ = ψ^i X_i + F^α ∂/∂z^α:
///     Γ(Θ_j) − ψ^i X_j(Θ_i) − ψ^i C_ij^k Θ_k + f X_j(E),   −ψ^i ∂Θ_i/∂z^α + f ∂E/∂z^α.                       (C.30)
std::vector<Expr> conformal_residuals(const ClaimedSystem& claim, Expr f, const std::vector<Expr>& theta);

/// dΘ in the same frame. Of rank 2r it is symplectic on the reduced space, r the number of speeds.
Matrix exterior_derivative(const ClaimedSystem& claim, const std::vector<Expr>& theta);

/// E_i(L − μ_a C^a) − Q_i along the motion with μ_a(q, z), for every leg: the motion makes ∫ L − μ_a C^a stationary.
std::vector<Expr> variational_residuals(const ClaimedSystem& claim, const std::vector<Expr>& mu);

}  // namespace rattleback
