#pragma once
/// A system with some of its parameters replaced by expressions in the others, or its abstract functions by formulas.

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The expressions in place of the parameters, everywhere: the system on a part of its parameter space.
System substituted(System system, const SymbolMap& values);

/// The formulas that runs take in place of the abstract functions, everywhere: what is proved of this system holds for them alone.
System with_formulas(System system);

}  // namespace rattleback
