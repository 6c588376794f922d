#pragma once
/// Control inputs u(t) of [inputs].
///
/// In formulas an input is an abstract function of the time of the system, and of those variables of the state that its law in the model
/// depends on: what is proved holds for every u, and for every feedback of these variables. It is listed in System::functions, with its
/// law as the value. Runs put the law in its place: an expression of time and state, or a table.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

bool is_input(const System& system, const AbstractFunction& function);
std::vector<AbstractFunction> inputs_of(const System& system);
/// u(t), or u(t, x, …), as it stands in formulas.
Expr call_of(const AbstractFunction& input);

/// The system whose forces have the laws in place of the inputs. Throws Error[no-value] for an input without law.
System with_laws_of_inputs(System system);

/// The system with other laws, each an expression or the name of a .csv file. Throws Error[unknown-symbol] with a suggestion.
System with_inputs(System system, const std::vector<std::pair<std::string, std::string>>& laws);

}  // namespace rattleback
