#pragma once
/// Rational coefficients of a linear combination of functions, solved for at random points modulo a prime: candidates, not proved.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Rational k_i (numerators up to 60, denominators up to 12) with Σ k_i columns[i] = right, row by row, at the random points;
/// unknowns that the equations leave free are 0. Nothing when there are none.
std::optional<std::vector<Rational>> rational_combination(const std::vector<std::vector<Expr>>& columns,
                                                          const std::vector<Expr>& right);

}  // namespace rattleback
