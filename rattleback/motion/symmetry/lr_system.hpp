#pragma once
/// LR systems: a left-invariant energy with right-invariant constraints on a group, as Veselova's.

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The space is one group, the Lagrangian is constant along its left-invariant frame X_i, and [X_i, D] ⊂ D: right translations,
/// which the X_i generate, preserve the constraints. Not when left translations preserve them as well. At random points.
bool is_lr_system(const System& system);

}  // namespace rattleback
