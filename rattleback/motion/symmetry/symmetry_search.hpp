#pragma once
/// Invariance of a system as linear conditions on a field, at random states modulo the prime.

#include <memory>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/velocities/field_search.hpp>

namespace rattleback {

/// Which parts of the system have to be left as they are.
struct InvariantParts {
  bool lagrangian = true, forces = true, constraints = true;
  /// The field itself is to be an admissible velocity on which forces do no work, A ξ = 0, Q_i ξ^i = 0; then it is
  /// enough that ξ^C L vanishes at admissible velocities.
  bool horizontal = false;
  /// Of a horizontal field: forces may do work on it, where that is accounted for as the rate of a function.
  bool forces_may_work = false;
};

/// The conditions (N.3) on ξ. No field is ever written out: the gradients of L, C and Q at a state suffice.
Conditions invariance_conditions(const System& system, const InvariantParts& parts);

/// [η_a, ξ] = 0 for all of them: the fields that a group leaves as they are.                              (N.5)
Conditions commuting_conditions(const Space& space, const std::vector<VectorField>& eta);

/// The parameters of the system, which fields may not see as functions.
std::vector<Symbol> parameters_of(const System& system);

}  // namespace rattleback
