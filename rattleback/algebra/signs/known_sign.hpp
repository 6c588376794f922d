#pragma once
/// Signs by interval arithmetic on the graph: what is certain without expanding or simplifying anything.

#include <cstdint>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// What is certain about a real value for every real value of the symbols (positive symbols being positive).
enum class KnownSign : std::uint8_t { unknown, negative, nonpositive, zero, nonnegative, positive };

/// By bounds alone, and by balls for a number: m*a^2 + J is positive when m and J are, and so are m*(5 − 4*cos(x)) and √2 − 1;
/// nothing is expanded or simplified.
KnownSign known_sign(Expr e);

/// Certainly without zeros, wherever it is defined.
bool known_nonzero(Expr e);

/// |e|, without bars where the sign is known.
Expr absolute(Expr e);

}  // namespace rattleback
