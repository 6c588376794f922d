#pragma once
/// Reaction forces of constraints: multipliers by name, generalised forces, and forces of contacts in physical directions.

#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// A = ∂C/∂v and c = dC/dt at v̇ = 0, for the constraints whose rows are independent of those before them.     (A.3)
struct ConstraintRows {
  std::vector<int> independent;
  Matrix a, c;
  bool linear = true;  ///< linear or affine in the velocities: A does not depend on them
};
/// Throws Error[inconsistent-constraints].
ConstraintRows constraint_rows(const System& system);

/// λ with Aᵀλ = R, for an R of that shape. Division only by what no state makes zero, otherwise by det(A Aᵀ), which
/// vanishes only where the constraints lose their rank.
Matrix multipliers_of(const ConstraintRows& rows, const Matrix& reaction);

/// NAME.normal, NAME.along, NAME.across, NAME.roller, NAME.spin: forces of a contact, and the torque about its normal.
std::string name_of(const ContactReaction& reaction);

struct Reactions {
  std::vector<Statement> multipliers, reactions;
};
/// λ under the name of its constraint; R = Aᵀλ under the names of coordinates or velocities, components that vanish left
/// out; forces and torques of contacts under the names above.
Reactions named_reactions(const System& system, const ConstraintRows& rows, const Matrix& multipliers);

/// The reactions of a motion that another form has found, in the speeds of that form: λ solves
///     Aᵀλ = M v̇ − b at v = ψ(q, z).                                                                   (A.6)
Reactions reactions_along(const System& system, const EquationsOfMotion& equations);

/// The rate of every variable of the state, and t' = 1.
SymbolMap motion_along(const System& system, const EquationsOfMotion& equations);

/// v̇^i = dψ^i/dt along the equations of a form, in its own state: how forms are compared.
std::vector<Expr> accelerations_along(const System& system, const EquationsOfMotion& equations);

/// Chetaev's rule where it is used, and which multipliers are not unique.
std::vector<std::string> reaction_notes(const System& system, const ConstraintRows& rows);

}  // namespace rattleback
