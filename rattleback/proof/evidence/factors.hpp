#pragma once
/// Factors above and below the bar of a product as it is written, and removal of constant ones.

#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Bases of the factors of e as it is written, without powers and roots: x of x², a of √a.
struct Factors {
  std::vector<Expr> above, below;
};
Factors factors(Expr e);

/// Parameters and numbers alone.
bool is_constant(Expr e);

/// e without the factors that are constant; a sum that is constant becomes 1.
Expr without_constant_factors(Expr e);

}  // namespace rattleback
