#pragma once
/// Is a system autonomous? Lagrangian, forces and constraints that contain the time explicitly.

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The Lagrangian, a force or a constraint changes with the time; a formula that contains t and does not depend on it is no reason.
bool contains_time(const System& system);

}  // namespace rattleback
