#pragma once
/// Solutions of the equations of relative equilibria as functions of the state: rates along the group follow, or are 0.

#include <vector>

#include <rattleback/proof/steady/equation_solutions.hpp>

namespace rattleback {

/// The solution with what is free chosen among the state alone where that can be solved for, and rates along the group on which nothing
/// depends, those of the state's isotropy, put to 0. `unknowns` are the rates, then the state.
EquationSolution in_the_state(EquationSolution s, const std::vector<Symbol>& rates,
                              const std::vector<Expr>& unknowns);

}  // namespace rattleback
