#pragma once
/// A system with some of its parameters replaced by expressions in the others.

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/model/system.hpp>

namespace rattleback {

/// The expressions in place of the parameters, everywhere: the system on a part of its parameter space.
System substituted(System system, const SymbolMap& values);

}  // namespace rattleback
