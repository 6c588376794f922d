#pragma once
/// Indefinite integrals where they are elementary and of a common shape; never wrong, often absent.

#include <optional>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// F with ∂F/∂x = e, checked by differentiation. Sums term by term; powers, exponentials and trigonometric
/// functions of linear arguments; polynomials times these; products of sines and cosines; g'(x)·h(g(x)) for common
/// h; fractions with a linear or quadratic denominator.
std::optional<Expr> antiderivative(Expr e, Symbol x);

}  // namespace rattleback
