#pragma once
/// Solutions that Newton's method finds and that belong to no component in closed form: a list that lacks them is not complete.

#include <vector>

#include <rattleback/proof/evidence/random_newton.hpp>
#include <rattleback/proof/steady/equation_solutions.hpp>

namespace rattleback {

/// Those of newton_solutions() that satisfy x = value for all unknowns of none of the components.
std::vector<Numbers> missed_solutions(const NewtonSearch& search,
                                      const std::vector<EquationSolution>& components);

/// Other values with the same signs, in general position: every one multiplied by a factor of its own between 0.7 and 1.3.
Numbers numbers_beside(const Numbers& values);

}  // namespace rattleback
