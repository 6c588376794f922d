#pragma once
/// The motion in Hamiltonian form: momenta on the constraint and their almost-Poisson bracket.

#include <rattleback/geometry/bivector.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// On D*, in the frame X_α of D with p_α = ∂ℓ_c/∂z^α:
///     {q^i, p_α} = X_α^i,   {p_α, p_β} = −⟨P, [X_α, X_β]⟩,   ḟ = {f, H_c} + W[f].                           (P.3)
/// For L = ½ g(v, v) − V and linear constraints {p_α, p_β} = −C_αβ^γ p_γ and W = 0.
struct ConstrainedBracket {
  Admissible D;
  std::vector<Symbol> momenta;    ///< p_α
  std::vector<Expr> definitions;  ///< p_α(q, z)
  std::vector<Expr> speeds;       ///< z^α(q, p)
  Expr lagrangian;                ///< ℓ_c(q, z)
  Expr hamiltonian;  ///< H_c = p_α z^α − ℓ_c                                                   (P.2)
  std::vector<Expr> embedding;  ///< P_i(q, p) = ∂L/∂v^i: the image of D in T*Q
  Bivector tensor;              ///< in the frame (X_1, …, X_n, ∂/∂p_1, …, ∂/∂p_r)
  VectorField drift;            ///< W: what affine or moving constraints and forces add; zero otherwise
  Assumptions where;
};
/// Throws Error[form-does-not-apply] when L is not quadratic in the speeds, so that z(q, p) has no closed form.
ConstrainedBracket constrained_bracket(const System& system, const Admissible& D);

/// dH_c without differentiating H_c: ∂H_c/∂p_α = z^α and X_i H_c = −X_i ℓ_c, where both sides hold what they depend on. (P.4)
OneForm hamiltonian_differential(const ConstrainedBracket& b);
/// The motion as a field on D*: X_H + W.
VectorField motion(const ConstrainedBracket& b);

/// The bracket with z in place of z(q, p), for people: there
///     H_c = ½(p_α − b_α) z^α − ℓ_c(q, 0),   b_α = p_α at z = 0.                                         (P.8)
ConstrainedBracket in_velocities(const System& system, const ConstrainedBracket& b);

/// The Legendre transform, the embedding and the brackets as `shown` writes them; the rank and the null forms of b.
std::vector<Step> bracket_steps(const ConstrainedBracket& b, const ConstrainedBracket& shown);

/// The momenta p_α are the speeds.
EquationsOfMotion bracket_equations(const System& system);

}  // namespace rattleback
