#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/parse.hpp>

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

TEST_CASE("many symbols at once, of which few occur") {
  // More than the filter of a node has bits: some share one with a symbol that occurs.
  for (const int count : {3, 40, 64, 65, 300}) {
    CAPTURE(count);
    SymbolMap next;
    std::vector<Symbol> xs;
    for (int i = 0; i < count; ++i) xs.push_back(Symbol::make("x" + std::to_string(i)));
    for (int i = 0; i < count; ++i)
      next.emplace(xs[static_cast<std::size_t>(i)], Expr(xs[static_cast<std::size_t>((i + 1) % count)]));
    const Expr a = xs[0], b = xs[1], c = xs[2 % xs.size()], other = symbol("other");
    const Expr e = sin(a) * b + other;
    CHECK(substitute(e, next) == sin(b) * c + other);
    CHECK(substitute(other, next) == other);
    CHECK(derivative_along(e, next) == cos(a) * pow(b, 2) + sin(a) * c);
    CHECK(derivative_along(cos(other), next).is_zero());
    CHECK(gradient(e, xs)[0] == cos(a) * b);
    CHECK(gradient(cos(other), xs)[0].is_zero());
  }
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
