#pragma once
/// Expressions as text in the model language's own syntax: parse(text(e)) is e again.

#include <string>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// Throws Exhausted when the written-out formula would have more than a million nodes.
std::string text(Expr e);
/// [a, b, c] or [[a, b], [c, d]].
std::string text(const Matrix& m);
/// The name of a function with its derivatives: A'', V[1,0].
std::string text(Function f);

}  // namespace rattleback
