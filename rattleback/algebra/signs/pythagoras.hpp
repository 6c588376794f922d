#pragma once
/// Simplification by cos² + sin² = 1 while expressions are built.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// A sum in which k·R·sin²x + k·R·cos²x has become k·R, as often as that is possible; anything else unchanged. Neither the terms
/// nor their factors are looked into: the cost is that of reading the terms.
Expr collapsed(Expr e);

/// Is e the square of that function of something: cos²x?
bool is_square_of(Expr e, Builtin f);

}  // namespace rattleback
