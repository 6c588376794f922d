#pragma once
/// Euler–Poincaré–Suslov systems: is the reduced bracket on the constraint subspace a Lie–Poisson bracket?

#include <optional>
#include <string>
#include <vector>

#include <rattleback/geometry/structure_coefficients.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// A left-invariant Lagrangian and left-invariant constraints on a group: everything is constant in the frame. The subspace
/// d = span{u_α} of the algebra carries the bracket P[u_α, u_β] = S_αβ^γ u_γ, P the orthogonal projection on d, and
///     ṗ_α = {p_α, h},   {p_α, p_β} = −S_αβ^γ p_γ.                                                      (C.15)
/// It is Hamiltonian iff S satisfies Jacobi's identity: always for dim d = 2, a real question from dim d = 3 on.
struct SuslovHamiltonization {
  System system;  ///< in the frame in which everything is constant
  Admissible d;
  StructureCoefficients S;
  std::vector<Expr> jacobiator;  ///< entries that do not vanish
  Verdict is_lie;
  std::vector<Symbol> momenta;
  std::vector<Expr> definitions;  ///< p_α(z)
  Expr hamiltonian;               ///< h(p) = ½ G^αβ p_α p_β
  std::vector<Expr> trace;        ///< S_αβ^β: an invariant density exists iff it vanishes
  std::string name;               ///< of the Lie algebra, when it has one
};
/// Throws Error[form-does-not-apply] when Lagrangian, constraints or frame are not invariant.
SuslovHamiltonization suslov_hamiltonization(const System& system);

/// Answer {exists, brackets, hamiltonian, algebra, unimodular}.
Answer suslov_hamiltonization_answer(const System& system);

}  // namespace rattleback
