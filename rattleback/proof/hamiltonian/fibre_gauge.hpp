#pragma once
/// The gauge in which the Lagrangian is invariant along the fibre of a Chaplygin system: L and L + d/dt f(q) have the same motions.

#include <optional>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// L − d/dt f(q) that does not change along the coordinates of a fibre that D crosses, where L itself does. With B = dA for the terms A(v)
/// that are linear in the velocities: where i_∂s B = −dμ for a coordinate s of the fibre, f with ∂f/∂s = A_s − μ makes A_s equal to μ and the
/// other A_j independent of s; one coordinate after the other.                                               (N.19)
/// Nothing where L is invariant along some fibre, or no such f was found.
std::optional<System> in_fibre_gauge(const System& system);

}  // namespace rattleback
