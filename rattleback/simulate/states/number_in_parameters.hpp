#pragma once
/// A number that a user gives as an expression of the parameters of a flow: `--until 2*pi/omega`.

#include <string>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Its value at the parameters of the flow. `option` names the place: Error[usage] when it is not finite, and the errors of parse().
double number_in_parameters(const Flow& flow, const std::string& option, const std::string& given);

}  // namespace rattleback
