#pragma once
/// Are the nonholonomic motions variational, for well chosen multipliers?

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/variational/vakonomic_multipliers.hpp>

namespace rattleback {

struct ConditionallyVariational {
  Verdict full;                ///< (C.9) and (C.10) have a solution along every motion
  std::optional<bool> strict;  ///< μ_a = (∂L/∂v^a)_c is one: for Chaplygin systems, Λ_αβ z^β = 0   (C.11)
  std::optional<std::string> strict_subgroup;    ///< another subgroup of the symmetries under which it is so
  std::optional<std::vector<Expr>> multipliers;  ///< μ_a(q, z), when they are known
  std::vector<VectorField> complement;           ///< W_a of D to which they belong
  bool zero_reaction = false;                    ///< μ = 0 does: the free motion respects the constraints
  std::vector<Expr> conditions;  ///< a motion that is variational all the same has to make these vanish
  int rounds = 0;                ///< of differentiation, after which they contradict each other
  std::vector<std::vector<Expr>> partial;  ///< the factors of each condition that may vanish
};
ConditionallyVariational conditionally_variational(const System& system);

/// L_V = L − (∂L/∂v^a)(v^a + A^a_α v^α): for a strictly conditionally variational Chaplygin system an ordinary Lagrangian whose
/// motions on the constraint are the nonholonomic ones.                                              (C.12)
struct VariationalLagrangian {
  Expr lagrangian;
  Expr determinant;             ///< of its Hessian; det(−g_ab) det G                             (C.13)
  std::vector<Symbol> momenta;  ///< p_i, one for each leg
  std::vector<Expr>
      definitions;  ///< p_i(q, v); along the fibre p_a = −g_ab φ^b, zero iff the constraint holds   (C.14)
  std::optional<Expr> hamiltonian;  ///< H_V(q, p), when L_V is quadratic
  std::vector<Symbol> vanishing;    ///< the p_a
  Verdict restricts;                ///< on the constraint E_i(L_V) = 0 along the nonholonomic motion
};
VariationalLagrangian variational_lagrangian(const Chaplygin& reduction);

/// What `prove --certificate` recomputes: multipliers where they are known, otherwise that there are none. Null when neither is
/// known, or its formulas are too long.
Data certificate_of(const System& system, const ConditionallyVariational& x);

/// Proved: every motion is variational for some multipliers. Answer {strict, full, multipliers,
/// constant_density, lagrangian, hamiltonian}.
Answer conditionally_variational_answer(const System& system);

}  // namespace rattleback
