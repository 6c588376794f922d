#pragma once
/// Parser of events: `a = b`, or an expression that is to be zero.

#include <string>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The expression whose zeros are meant; it may use every name of the model, quasi-velocities included. `where` is what messages
/// call its place. Throws Error[usage] for what does not change along the motion, and those of parse().
Expr event_equation(const System& system, const std::string& given, const std::string& where);

}  // namespace rattleback
