#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/solving/antiderivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

using namespace rattleback;

TEST_CASE("common integrals are found, and right") {
  const Symbol x = Symbol::make("x");
  for (const std::string text : {"5",
                                 "x^3 + 2*x",
                                 "1/x",
                                 "a*x^2*y",
                                 "sin(2*x + a)",
                                 "x*sin(x)",
                                 "x^2*exp(-x)",
                                 "sin(x)^2",
                                 "sin(x)^3*cos(x)^2",
                                 "sin(x)*sin(2*x + p)",
                                 "x/(x^2 + y^2)",
                                 "1/(x^2 + y^2)",
                                 "(x + 1)/(x^2 + 2*x + 5)",
                                 "x^3/(x^2 + y^2)",
                                 "1/cos(x)^2",
                                 "tan(x)",
                                 "sqrt(1 - x)",
                                 "x/sqrt(1 + x^2)",
                                 "1/(a + b*x)^2",
                                 "x*(x + 1)^2",
                                 "cosh(x)*sinh(x)",
                                 "log(x)",
                                 "cos(x)*exp(sin(x))",
                                 "(x + y)^2/(x*y)",
                                 "(x + 3)/(x^2 - 2*x*cos(y) + cos(y)^2)",
                                 "y*(cos(x)^2 + sin(x)^2)"}) {
    CAPTURE(text);
    const Expr e = parse(text);
    const auto F = antiderivative(e, x);
    REQUIRE(F);
    CHECK(proved(are_equal(derivative(*F, x), e)));
    CHECK(refuted(are_equal(derivative(*F + Expr(x), x), e)));
  }
}

TEST_CASE("no answer rather than a wrong one") {
  const Symbol x = Symbol::make("x");
  for (const std::string text : {"exp(x^2)", "sin(x)/x", "F(x)", "1/log(x)"}) {
    CAPTURE(text);
    CHECK_FALSE(antiderivative(parse(text), x));
  }
}
