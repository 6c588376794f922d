#pragma once
/// Solutions of algebraic equations in closed form: linear and quadratic steps along triangular chains.

#include <span>
#include <unordered_map>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

/// One component of the solutions: values of some unknowns as functions of the others, which are free.
struct EquationSolution {
  std::unordered_map<Expr, Expr> values;
  std::vector<Expr> radicands;  ///< under the square roots; real solutions have them nonnegative

  /// e with the unknowns replaced by their values.
  Expr at(Expr e) const;
};

struct EquationSolutions {
  std::vector<EquationSolution> components;
  bool complete = true;  ///< false: some component was not solved
};

/// All solutions of e = 0 for generic parameters. Unknowns are symbols, or cos q and sin q of an angle; earlier ones are rather
/// solved for. The relations cos² q + sin² q = 1 and |γ| = 1 hold: a pair or a vector of which nothing is solved for stays free.
/// Denominators are taken for nonzero: the caller substitutes the values and checks.
EquationSolutions equation_solutions(std::vector<Expr> equations, std::span<const Expr> unknowns);

}  // namespace rattleback
