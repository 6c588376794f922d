#pragma once
/// The sign of an expression, where it can be read off the graph: one more interpretation.

#include <cstdint>

#include <rattleback/algebra/expr.hpp>

namespace rattleback {

/// What is certain about a real value for every real value of the symbols (positive symbols being positive).
enum class KnownSign : std::uint8_t { unknown, negative, nonpositive, zero, nonnegative, positive };

/// By bounds alone, and by balls for a number: m*a^2 + J is positive when m and J are, and so are m*(5 − 4*cos(x)) and √2 − 1;
/// nothing is expanded or simplified.
KnownSign known_sign(Expr e);

/// Certainly without zeros, wherever it is defined.
bool known_nonzero(Expr e);

/// e, or its canonical form when e is small and that form shows a sign which e does not: cos² + sin² becomes 1.
Expr sign_revealing(Expr e);

}  // namespace rattleback
