#pragma once
/// Drops conditions that follow from other stated conditions.

#include <vector>

#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// Without those that hold wherever another one does, x² + y² ≠ 0 beside x ≠ 0; of two that say the same the shorter stays.
Assumptions without_implied(const Assumptions& where);

/// What vanishes wherever a sum of squares does: x and y where I x² + J y² = 0. Empty for other sums.
std::vector<Expr> zeros_of_squares(Expr e);

}  // namespace rattleback
