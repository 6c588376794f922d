#pragma once
/// Is the Lagrangian regular on the admissible velocities?

#include <rattleback/model/checks/triage.hpp>

namespace rattleback {

/// The motion is determined iff the bordered matrix of L_vv and ∂C/∂v is nonsingular; L itself may be degenerate.
/// Definiteness on D needs constraints that are linear in the velocities.
Regularity regularity(const System& system);
/// The same, within limits: parts that take longer are named in `open`, and then nothing is claimed about signs.
Regularity regularity(const System& system, const TriageLimits& limits, std::vector<std::string>& open);

/// det of that bordered matrix, with independent constraints: zero where the Lagrangian is degenerate on D, and where the constraints
/// lose rank.
Expr bordered_determinant(const System& system);

}  // namespace rattleback
