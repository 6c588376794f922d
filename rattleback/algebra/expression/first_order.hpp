#pragma once
/// Forward-mode automatic differentiation: values and first derivatives of functions at a point in one sweep.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// f_i and ∂f_i/∂x_j at the point; symbols without a value there stay symbols.
struct FirstOrder {
  std::vector<Expr> values;
  Matrix slopes;  ///< slopes(i, j) = ∂f_i/∂x_j
};

/// Differentiating first and substituting afterwards would build the derivatives at every point; here sin(0), 0·x and
/// their slopes vanish as they arise. Throws Error[division-by-zero] at a pole.
FirstOrder first_order(std::span<const Expr> fs, std::span<const Symbol> xs, const SymbolMap& point);

}  // namespace rattleback
