#pragma once
/// What [simulation] says about the start, as values of symbols.

#include <rattleback/model/system.hpp>

namespace rattleback {

/// Values of coordinates, entries of rotations and velocities at the initial state, and of the parameters.
SymbolMap initial_point(const System& system);

}  // namespace rattleback
