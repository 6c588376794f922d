#pragma once
/// Constants that make a combination of known functions equal to another: linear algebra at random points.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// c_i, functions of the parameters alone, with Σ_i columns(k, i) c_i = right_k for every k, identically in everything
/// that is not a parameter. First for rational numbers, by random points modulo a prime and rational reconstruction; then
/// with parameters kept, by exact elimination at random rational points. What is found holds at further random points;
/// proving it is for the caller. Nothing when there is no such combination, or none was found.
std::optional<std::vector<Expr>> constant_combination(const Matrix& columns, const Matrix& right);

}  // namespace rattleback
