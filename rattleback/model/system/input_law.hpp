#pragma once
/// Checks and declarations for laws of force, shared by the reader of [inputs] and [forces] and the library of inputs.

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Lists sign among the functions of the system when its forces call it, with its formula for runs.
void declare_sign(System& system);

/// Does e call f, or a derivative of it?
bool calls_function(Expr e, Function f);

/// Throws Error[wrong-type] when the law depends on an input.
void require_law(const System& system, const AbstractFunction& input, const Place& place);

}  // namespace rattleback
