#pragma once
/// Positivity by completing the square: 1 + (R + a cos x)² after it was multiplied out.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// e = a s² + b s + c for a symbol s, with a ≥ 0 and 4ac − b² > 0, or c > 0 where b = 0: then e > 0 for all values of the symbols.
/// Both are known by their bounds, or in the same way by another symbol. False where this is not seen, or e is too long to look at.
bool is_positive_by_squares(Expr e);

}  // namespace rattleback
