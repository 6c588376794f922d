#pragma once
/// Nonvanishing of sums of squares whose terms cannot vanish together.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// known_nonzero, and more: cos and sin do not vanish together, so m cos²x + J sin²x is positive when m and J are.
bool never_vanishes(Expr e);

}  // namespace rattleback
