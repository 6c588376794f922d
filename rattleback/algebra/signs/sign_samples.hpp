#pragma once
/// Sign changes at sample points: excludes a proof of a sign before it is tried.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Zero somewhere, to rounding, or certainly of either sign, so that no way of writing e can show one.
bool has_no_sign(Expr e);

}  // namespace rattleback
