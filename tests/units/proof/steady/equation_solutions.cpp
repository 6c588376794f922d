/// Solutions of algebraic equations: where coefficients vanish after earlier values are put in, the list is not complete.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/proof/steady/equation_solutions.hpp>

using namespace rattleback;

TEST_CASE("cos q that is known as a root of sin q satisfies cos^2 + sin^2 = 1 for every sin q") {
  const Symbol q = Symbol::make("q");
  const Expr c = cos(Expr(q)), s = sin(Expr(q));
  const std::vector<Expr> unknowns{c, s};
  const EquationSolutions half = equation_solutions({c - sqrt(1 - s * s)}, unknowns);
  CHECK_FALSE(half.complete);
  const EquationSolutions line = equation_solutions({c - s}, unknowns);
  CHECK(line.complete);
  CHECK(line.components.size() == 2);
}
