#pragma once
/// Chaplygin multipliers at fixed momenta, after Routh's reduction.

#include <optional>
#include <vector>

#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/routh_reduction.hpp>

namespace rattleback {

/// Chaplygin's multiplier of the motion that is left when the momenta are fixed (`RouthReduction::shape`, in the speeds w). The determinant of
/// the metric of the bundle is tried first: its slopes are often those of a multiplier.
ChaplyginMultiplier multiplier_at_fixed_momenta(const ChaplyginBundle& bundle,
                                                const RouthReduction& reduction);

/// {q, P_a} = W_a[q], {P_a, P_b} = −c_ab^d P_d + f (Φ⁰_ab + σ_b b_a − σ_a b_b), P = f ∂R/∂w, with b and Φ⁰ the terms that are
/// linear in μ: the momentum-shifted bracket. Jacobi's identity is automatic for two remaining dimensions.      (C.17)
struct RouthHamiltonian {
  std::vector<Symbol> momenta;
  Expr hamiltonian;
  Matrix brackets;  ///< {P_a, P_b}
  Verdict motion;   ///< f times its flow is the constrained motion
};
RouthHamiltonian routh_hamiltonian(const ChaplyginBundle& bundle, const RouthReduction& reduction,
                                   const ChaplyginMultiplier& multiplier);

/// What `prove --certificate` recomputes: (C.33) with Θ = f p_a θ^a, J_i = Y_i^α p_α, λ_i = f s^i and the terms of (C.17) that are
/// linear in μ. Null when it would be too long.
Data certificate_of(const ChaplyginBundle& bundle, const RouthReduction& reduction,
                    const ChaplyginMultiplier& multiplier);

/// Answer {exists, multiplier, cyclic, conserved, group, momenta, brackets, hamiltonian}.
Answer routh_hamiltonization_answer(const System& system);

}  // namespace rattleback
