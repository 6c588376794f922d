#pragma once
/// Rules by which the Coq kernel computes modulo position constraints: a Gröbner basis of N = {φ = 0} with its coefficients.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// The monomial m is replaced by p: m − p = Σ_k c_k φ_k modulo cos² + sin² = 1 and √a² = a.                 (W.9)
struct PositionRule {
  Expr monomial, by;
  std::vector<Expr> coefficients;  ///< one for each position constraint
};

/// The rules decide what vanishes with the ideal of the φ: polynomials in symbols, sines, cosines and roots. Graded reverse lexicographic
/// order: roots, sines, functions of the configuration, cosines, parameters. Throws Error[no-coq-form] for φ that are no polynomials in
/// these, and where the basis is too long.
std::vector<PositionRule> position_rules(std::span<const Expr> positions);

}  // namespace rattleback
