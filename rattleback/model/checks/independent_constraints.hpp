#pragma once
/// Constraints that are independent on N = {φ = 0}: fewer than in the ambient space when one follows from the others there.

#include <optional>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Rows of `a`, one per constraint of the system, that are independent of those before them at a generic point of N.
std::vector<int> independent_on_positions(const System& system, const Matrix& a);

/// The system without the constraints that follow from the others on N and not elsewhere; nothing when there are none, or when a
/// constraint is not linear in the velocities.
std::optional<System> without_dependent_constraints(const System& system);

}  // namespace rattleback
