#pragma once
/// Is a stated condition `f != 0` of a derivation necessary? Tried at states where it fails.

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// Every condition on the state, at the model's values. Newton's method finds states with f = 0 on the position constraints. There the
/// implicit equations must be singular (the bordered matrix of L_vv and ∂C/∂v), or the speeds no coordinates on the velocities, or the rates
/// infinite. A condition is contradicted where none of these happens, and where it fails only together with another one.
Findings try_conditions(const System& system, const EquationsOfMotion& equations);

}  // namespace rattleback
