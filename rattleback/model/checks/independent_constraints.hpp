#pragma once
/// Constraints that are independent on N = {φ = 0}: fewer than in the ambient space when one follows from the others there.

#include <optional>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Rows of `a`, one per constraint of the system, that are independent of those before them at a generic point of N.
std::vector<int> independent_on_positions(const System& system, const Matrix& a);

/// Does position constraint s, whose slopes vanish on N, follow from the others, up to components of their set? Its slopes are combinations
/// of theirs where they hold, so that it is constant there: L - L*cos(u1)*cos(u2) = 0 beside sin(u1)*cos(u2) = 0 and sin(u2) = 0. Others
/// whose slopes vanish on N do not count, and a contact does not follow: its normal force is asked for.
bool follows_from_others(const System& system, int s);

/// The system without the constraints that follow from the others on N and not elsewhere; nothing when there are none, or when a
/// constraint is not linear in the velocities.
std::optional<System> without_dependent_constraints(const System& system);

}  // namespace rattleback
