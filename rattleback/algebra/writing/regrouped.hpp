#pragma once
/// Final regrouping of a printed formula: common factors and denominators where they take least room.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Equal to e and not longer. A number that all terms of a sum share is written once, p²/(2J) + q²/(2m) = (p²/J + q²/m)/2; a
/// denominator that cancels in terms of a sum above it is written there, (a x − b y)/(a b) = x/b − y/a, unless another one stays.
Expr regrouped(Expr e);

}  // namespace rattleback
