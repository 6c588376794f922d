#pragma once
/// Lagrange–d'Alembert with multipliers: Benenti's second method. Accelerations on TQ, multipliers, reactions.

#include <optional>
#include <vector>

#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// M v̇ = b + Aᵀλ, A v̇ = −c, with A = ∂C/∂v and c = dC/dt at v̇ = 0; at every velocity, admissible or not.   (A.2)
struct ConstrainedMotion {
  ConstraintRows rows;
  Matrix accelerations;  ///< v̇, n × 1; they keep every C^a constant on all of TQ
  Matrix multipliers;    ///< λ_a, one for each independent constraint
};
/// At all velocities. Throws Error[degenerate-energy] when L is not regular on the constraint,
/// Error[inconsistent-constraints].
ConstrainedMotion constrained_motion(const System& system);
/// The same at admissible velocities, v = ψ(q, z), as functions of q and z.
ConstrainedMotion constrained_motion(const System& system, const Admissible& D);

/// The accelerations in terms of the multipliers, as symbols:
///     v̇ = M⁻¹(b + Aᵀλ),   R = Aᵀλ.                                                                   (A.10)
/// Nothing where M is singular or nothing is constrained.
std::optional<Matrix> accelerations_by_multipliers(const System& system, const ConstraintRows& rows);

/// The admissible velocities, where every speed is a velocity, or a combination of velocities that the model names.
/// Speeds of the program's own choice would return as quotients.
std::optional<Admissible> named_speeds(const System& system, const ConstraintRows& rows);

/// The classical form: n accelerations, λ for each constraint by name, R_i; forces of contacts in physical directions.
/// Where the model's quasi-velocities parametrise the constraint, formulas are shortened by it and a note says so: they
/// then hold for admissible velocities only.
EquationsOfMotion multiplier_equations(const System& system);

}  // namespace rattleback
