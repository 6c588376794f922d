#pragma once
/// The multipliers that make a nonholonomic motion variational: what they have to satisfy along it.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// In a frame (X_α, W_a) with X_α spanning D and V = y + z^β X_β the motion makes ∫ L − μ_a φ^a stationary iff
///     S_α^a μ_a = 0,   S_α^a = φ^a([X_α, V]),                                                         (C.9)
///     μ̇_a = λ_a − N_a^b μ_b,   N_a^b = φ^b([W_a, V]),                                                  (C.10)
/// λ_a the reaction along W_a. All are functions of the state (q, z) of the nonholonomic motion.
struct VakonomicConditions {
  Admissible D;
  std::vector<VectorField> complement;  ///< W_a
  std::vector<Expr> momenta;            ///< (∂L/∂v)_c along W_a
  Matrix S, N, lambda;
  SymbolMap rates;  ///< the motion: q and z
};
/// The complement is spanned by these fields; without them, by legs of the space.
/// Throws Error[form-does-not-apply] for constraints that are not linear or affine, or depend on time.
VakonomicConditions vakonomic_conditions(const System& system,
                                         const std::vector<VectorField>& complement = {});

/// Do these functions of the state satisfy (C.9) and (C.10)?
Verdict are_vakonomic_multipliers(const VakonomicConditions& c, const std::vector<Expr>& mu);

/// (C.9) and everything that follows from it by differentiation along the motion, as rows s·μ + b = 0 over functions of the
/// state, until nothing new follows. Solvable at a state iff the motion through it is variational.
struct MultiplierClosure {
  Matrix s, b;
  int rank = 0, augmented_rank = 0;
  int rounds = 1;  ///< (C.9) itself, and so many derivatives of it but one
  bool solvable() const { return rank == augmented_rank; }
  /// The multipliers where they are determined; unknowns left free are absent.
  std::optional<std::vector<Expr>> unique;
};
MultiplierClosure closure(const VakonomicConditions& c);

}  // namespace rattleback
