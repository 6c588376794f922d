#pragma once
/// What [simulation] says about the start, as values of symbols.

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Values of coordinates, entries of rotations and velocities at the initial state, and of the parameters.
SymbolMap initial_point(const System& system);

/// `~x`: the value is where the search for x starts, which the constraints determine; not a value of the state.
bool is_guess(const InitialValue& value);
/// x for `~x`.
std::string guessed_name(const InitialValue& value);
InitialValue guess_of(InitialValue value);

}  // namespace rattleback
