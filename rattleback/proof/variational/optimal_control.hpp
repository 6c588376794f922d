#pragma once
/// Control problems whose extremals are compared with the mechanical motion.

#include <optional>
#include <vector>

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/variational/separated_lagrangian.hpp>

namespace rattleback {

/// A decoupled system has first integrals u: q̇_1 = u_1, q̇_a = e^{ξ_a} u_a. As a control system with the cost
///     ½ (I u_1² + Σ_a C_a e^{ξ_a} u_a²/u_1)                                                             (C.27)
/// Pontryagin's principle gives u_a/u_1 = p_a/C_a, u_1 = (p_1 + ½ Σ e^{ξ_a} p_a²/C_a)/I and the Hamiltonian (C.25).
struct AssociatedControl {
  std::vector<Symbol> controls;
  std::vector<Expr> rates;  ///< q̇(q, u)
  Expr cost;
  std::vector<Expr> optimal;  ///< u*(q, p)
  Verdict stationary;         ///< ∂(p q̇ − cost)/∂u = 0 at u*
  Verdict hamiltonian;        ///< and its value there is that of the Lagrangian
};
AssociatedControl associated_control(const SecondOrderSystem& s, const DecoupledLagrangian& L);
/// With q̇_b = e^{ξ_b} u_b in uniform motion the cost ½ (I u_1² + I_b q̇_b² + Σ_{a≠b} C_a e^{ξ_a} u_a²/u_1) has the Hamiltonian (C.31).
AssociatedControl associated_control(const SecondOrderSystem& s, const DecoupledLagrangian& L,
                                     const SeparatedLagrangian& second);

/// q̇ = z^α X_α with the cost ½ G_αβ z^α z^β: normal extremals are the motions of H = ½ G^αβ h_α h_β on T*Q, h_I = ⟨P, e_I⟩ in a
/// frame e = (X_α, W_a) of Q, with {h_I, h_J} = −c_IJ^K h_K:
///     ḣ_I = −e_I[H] − c_Iβ^K z^β h_K,   z^α = G^αβ h_β.                                                    (C.28)
/// The mechanical motion without a potential is ḣ_α = −X_α[H] − C_αβ^γ z^β h_γ, with the h_a tied to the h_α by the metric; it
/// is free of the h_a, which a control problem chooses at will.
struct NormalExtremals {
  std::vector<Symbol> momenta;  ///< h_α, then h_a
  Expr hamiltonian;
  std::vector<Expr> speeds;  ///< z^α(q, h)
  std::vector<Symbol> configuration;
  std::vector<Expr> configuration_rates, rates;
  /// ḣ_α of the extremal minus that of the mechanical motion through the same state: linear in h_a − (their mechanical values).
  std::vector<Expr> difference;
};
NormalExtremals normal_extremals(const System& system);

/// Proved: the mechanical motions are extremals, of (C.27) or of the action among admissible curves. Not found: of neither, in these coordinates.
/// Answer {exists, cost, controls, hamiltonian, extremals}.
Answer optimal_control_answer(const System& system);

}  // namespace rattleback
