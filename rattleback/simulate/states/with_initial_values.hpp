#pragma once
/// Initial values from the command line in place of the model's.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The system with other initial values. Velocities that the model does not name replace all of its velocities, since they
/// describe the motion in another way; those that the command line gave before, as --initial beside --vary, stay.
/// To be done before a Flow is made: where a nonlinear constraint has two branches, the initial state chooses. Throws Error[unknown-symbol] with a suggestion.
System with_initial_values(System system, const std::vector<std::pair<std::string, std::string>>& given,
                           const std::string& option = "--initial");

/// Does the value come from the command line?
bool is_from_command_line(const InitialValue& value);

}  // namespace rattleback
