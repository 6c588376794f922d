#pragma once
/// Is the Lagrangian regular on the admissible velocities?

#include <rattleback/model/triage.hpp>

namespace rattleback {

/// The motion is determined iff the bordered matrix of L_vv and ∂C/∂v is nonsingular; L itself may be degenerate.
/// Definiteness on D needs constraints that are linear in the velocities.
Regularity regularity(const System& system);

}  // namespace rattleback
