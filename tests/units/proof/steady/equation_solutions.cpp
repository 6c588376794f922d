/// Solutions of algebraic equations: where coefficients vanish after earlier values are put in, the list is not complete.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
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

TEST_CASE("an equation whose variables were all solved for takes the place of one of higher degree") {
  const Expr w = Symbol::make("w"), x = Symbol::make("x"), y = Symbol::make("y");
  const Expr l = Symbol::make("l", {.role = Role::parameter, .sign = Sign::positive}),
             g = Symbol::make("g", {.role = Role::parameter, .sign = Sign::positive});
  const std::vector<Expr> unknowns{w, x, y}, equations{x * x + y * y - l * l, y * (w * w * x + g)};
  const EquationSolutions conical = equation_solutions(equations, unknowns);
  CHECK(conical.complete);
  CHECK(conical.components.size() == 4);  // y = 0, x = +-l; x = -g/w^2, y = +-√(l² - x²)
  for (const EquationSolution& s : conical.components) {
    for (const Expr e : equations) CHECK(vanishes_at_random_points(s.at(s.at(e))));
  }
}
