#pragma once
/// The admissible velocities as functions of free speeds, v = ψ(q, z, t), whether or not ψ is linear in z.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

struct SolvedVelocities {
  std::vector<Symbol> speeds;  ///< z^α
  std::vector<Expr> psi;       ///< v^i = ψ^i(q, z, t); C^a(q, ψ) = 0 identically                      (G.1)
  std::vector<Expr> definitions;  ///< z^α as functions of the v^i; empty when only v = ψ is known
  bool linear = true;             ///< ψ is affine in the speeds
  Assumptions where;
  std::vector<std::string> notes;  ///< which branch of a nonlinear constraint

  /// v^i ↦ ψ^i.
  SymbolMap substitution(const Space& space) const;
};

/// In this order: the model's [parametrization], where it is not affine in the speeds (an error when it violates a constraint);
/// quasi-velocities, when all constraints are linear or affine; otherwise velocities solved for one by one, where a constraint is linear or quadratic
/// in one. Of the two roots of a quadratic equation the one of the initial state is taken, otherwise that with +√; a note says which.
/// Throws Error[bad-parametrization], Error[no-parametrization] with what to write.
SolvedVelocities solved_velocities(const System& system);

}  // namespace rattleback
