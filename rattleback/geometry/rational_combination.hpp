#pragma once
/// Rational coefficients of a linear combination of functions, found at random points; candidates to be proved.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Rational k_i with small numerators and denominators and Σ k_i columns[i] = right, row by row, at many random points;
/// unknowns that the equations leave free are 0. Nothing when there are none.
std::optional<std::vector<Rational>> rational_combination(const std::vector<std::vector<Expr>>& columns,
                                                          const std::vector<Expr>& right);

}  // namespace rattleback
