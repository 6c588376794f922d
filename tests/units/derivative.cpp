#include <doctest/doctest.h>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/matrix.hpp>
#include <rattleback/algebra/parse.hpp>

using namespace rattleback;

namespace {
const Symbol x = Symbol::make("x"), y = Symbol::make("y");
}

TEST_CASE("derivatives of sums, products, powers and functions") {
  CHECK(derivative(parse("x^3 + 2*x*y"), x) == parse("3*x^2 + 2*y"));
  CHECK(derivative(parse("sin(x*y)"), x) == parse("y*cos(x*y)"));
  CHECK(derivative(parse("1/x"), x) == parse("-1/x^2"));
  CHECK(derivative(parse("sqrt(x)"), x) == parse("1/(2*sqrt(x))"));
  CHECK(derivative(parse("exp(x)*y"), y) == parse("exp(x)"));
  CHECK(derivative(parse("y"), x).is_zero());
}

TEST_CASE("abstract functions are differentiated by the chain rule") {
  CHECK(derivative(parse("A(x^2)"), x) == parse("2*x*A'(x^2)"));
  CHECK(derivative(parse("V(x, x*y)"), x) == parse("V[1,0](x, x*y) + y*V[0,1](x, x*y)"));
}

TEST_CASE("along a direction, and the gradient, agree with partial derivatives") {
  const Expr e = parse("sin(x)*y^2 + x/y");
  const Expr u = symbol("u"), w = symbol("w");
  CHECK(derivative_along(parse("x*y"), {{x, u}, {y, w}}) == parse("y*u + x*w"));
  const std::vector<Symbol> xs{x, y, x};
  const std::vector<Expr> g = gradient(e, xs);
  CHECK(g[0] == derivative(e, x));
  CHECK(g[2] == g[0]);
}

TEST_CASE("substitution is simultaneous") {
  CHECK(substitute(parse("x + 2*y"), {{x, Expr(y)}, {y, Expr(x)}}) == parse("y + 2*x"));
  CHECK(substitute(parse("sin(x)"), {{x, parse("x + 1")}}) == parse("sin(x + 1)"));
}

TEST_CASE("an abstract function can be given a body") {
  const Expr e = parse("A(x*y) + A'(x)");
  const Symbol r = Symbol::make("r");
  CHECK(substitute(e, Function::abstract("A", 1), std::vector{r}, parse("r^2")) == parse("x^2*y^2 + 2*x"));
}

TEST_CASE("a deep chain is differentiated without recursion") {
  Expr e(x);
  for (int i = 0; i < 100'000; ++i) e = sin(e);
  CHECK_FALSE(derivative(e, x).is_zero());
}
