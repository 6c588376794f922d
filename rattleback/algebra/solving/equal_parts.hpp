#pragma once
/// Common subexpressions that are equal as functions and differ in form: written one way.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// The same formulas; of subexpressions that are proved to be equal, or opposite, the shortest stands for all. Entries of
/// rotation matrices give many: b1²B31² + b2²B32² + b3²B33² is also b1²B31² + b2²B32² + b3²(1 − B31² − B32²).
std::vector<Expr> with_equal_parts_merged(std::span<const Expr> formulas);

}  // namespace rattleback
