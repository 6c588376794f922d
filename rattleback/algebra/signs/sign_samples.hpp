#pragma once
/// Signs that an expression has at a few points: they tell where no proof of a sign can be found.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Zero somewhere, to rounding, or certainly of either sign, so that no way of writing e can show one.
bool has_no_sign(Expr e);

}  // namespace rattleback
