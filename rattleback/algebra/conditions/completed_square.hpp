#pragma once
/// Positivity by completing the square: 1 + (R + a cos x)² after it was multiplied out.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// True: e > 0 for all values of the symbols, because e = a s² + b s + c in a symbol s with a ≥ 0 and 4ac − b² > 0 (c > 0 where b = 0).
/// The signs come from known_sign(); that of 4ac − b² also from this test in another symbol. False: not decided, or e is too long.
bool is_positive_by_squares(Expr e);

}  // namespace rattleback
