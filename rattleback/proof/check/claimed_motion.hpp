#pragma once
/// What the steps of a check have in common: energy, differentials and Lagrange's expressions along a claimed motion.

#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// E = v^i ∂L/∂v^i − L at v = ψ(q, z).
Expr energy_on_D(const ClaimedSystem& claim);
/// dg in the frame (X_i, ∂/∂z^α).
std::vector<Expr> differential(const ClaimedSystem& claim, Expr g);
/// ∂g/∂z, ∂g/∂v and ∂g/∂t: they vanish iff g is a function of the configuration.
std::vector<Expr> slopes(const ClaimedSystem& claim, Expr g);
/// ∂ψ^i/∂z^α.
Matrix directions(const ClaimedSystem& claim);
/// a over b.
Matrix stacked(const Matrix& a, const Matrix& b);

/// div Γ on (q, z): (M.1) for v = ψ, and Σ ∂ż^α/∂z^α. Legs that move no function have no volume of their own.
Expr divergence_of_motion(const ClaimedSystem& claim);

/// ∂L/∂v^i X_a^i on D for legs as columns, without what is there at rest.
std::vector<Expr> momenta_of_legs(const ClaimedSystem& claim, const Matrix& legs);

/// Γ(P_i) − A_i + C_il^m ψ^l P_m: with P_i = ∂ℒ/∂v^i and A_i = X_i ℒ at v = ψ this is E_i(ℒ) along the motion.
std::vector<Expr> lagrange_residuals(const ClaimedSystem& claim, const std::vector<Expr>& P,
                                     const std::vector<Expr>& along_legs);
/// E_i(ℒ) along the motion, for ℒ(q, v).
std::vector<Expr> lagrange_expressions(const ClaimedSystem& claim, Expr lagrangian);
/// i_Γ dΘ in the frame (X_i, ∂/∂z^α), for Θ = Θ_i(q, z) θ^i:
///     (i_Γ dΘ)(X_j) = Γ(Θ_j) − ψ^i X_j(Θ_i) − ψ^i C_ij^k Θ_k,   (i_Γ dΘ)(∂/∂z^α) = −ψ^i ∂Θ_i/∂z^α.           (C.30)
std::vector<Expr> contracted_differential(const ClaimedSystem& claim, const std::vector<Expr>& theta);

/// A two-form on Q from entries [i, j, S(X_i, X_j)] with i < j. Throws Error[bad-certificate].
Matrix two_form(const ClaimedSystem& claim, const Data& entries);
/// dS(X_i, X_j, X_k) = Σ X_i S_jk − S([X_i, X_j], X_k) over the cyclic i, j, k, for i < j < k.
std::vector<Expr> closure_residuals(const ClaimedSystem& claim, const Matrix& S);

/// X_i s_j − X_j s_i − C_ij^k s_k.
std::vector<Expr> curl(const ClaimedSystem& claim, const std::vector<Expr>& s);
/// dF + s∧F on X_i, X_j, X_k.
std::vector<Expr> twisted_closure(const ClaimedSystem& claim, const std::vector<Expr>& s, const Matrix& F);

/// Some of them do not vanish, and one point shows it.
Verdict some_do_not_vanish(const std::vector<Expr>& es);

}  // namespace rattleback
