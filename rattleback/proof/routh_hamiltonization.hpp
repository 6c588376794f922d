#pragma once
/// Fewer degrees of freedom first: conserved momenta are fixed, then a multiplier is looked for.

#include <optional>
#include <vector>

#include <rattleback/proof/chaplygin_multiplier.hpp>

namespace rattleback {

/// A coordinate v^i of the base is nonholonomic cyclic when nothing depends on it and Λ_iβ ṙ^β = 0 on all motions; then
/// p_i = μ_i is constant. With the others w^a and the Routhian R = [ℓ_c − μ_i v̇^i] at p_i = μ_i
///     d/dt ∂R/∂ẇ^a − ∂R/∂w^a = Φ_a,   Φ_a = Λ_ab ẇ^b + Λ_ai v̇^i = Λ'_ab ẇ^b,                             (C.16)
/// a Chaplygin system again, with the *effective* gyroscopic form Λ' and terms linear in μ.
struct RouthReduction {
  std::vector<int> cyclic;  ///< positions on the base
  std::vector<Symbol> mu;   ///< the constants, named as the momenta they are
  Expr routhian;            ///< R(w, ẇ; μ)
  std::vector<Expr> force;  ///< Φ_a
  ChaplyginBundle shape;    ///< the w-system: chart w, Lagrangian R, K' and Λ'
  Verdict reduces;          ///< (C.16) along the constrained motion, and ṗ_i = 0
};
/// All coordinates that are nonholonomic cyclic together; none when the base has no coordinates.
std::vector<int> cyclic_coordinates(const ChaplyginBundle& bundle);
RouthReduction routh_reduction(const ChaplyginBundle& bundle, const std::vector<int>& cyclic);

/// {w^a, P_b} = δ^a_b, {P_a, P_b} = f (Φ⁰_ab + σ_b b_a − σ_a b_b), P = f ∂R/∂ẇ, with b and Φ⁰ the terms that are linear in
/// μ: the momentum-shifted bracket. Jacobi's identity is automatic for two remaining coordinates.      (C.17)
struct RouthHamiltonian {
  std::vector<Symbol> momenta;
  Expr hamiltonian;
  Matrix brackets;
  Verdict motion;  ///< f times its flow is the constrained motion
};
RouthHamiltonian routh_hamiltonian(const ChaplyginBundle& bundle, const RouthReduction& reduction,
                                   const ChaplyginMultiplier& multiplier);

/// Answer {exists, multiplier, cyclic, group, momenta, brackets, hamiltonian}.
Answer routh_hamiltonization_answer(const System& system);

}  // namespace rattleback
