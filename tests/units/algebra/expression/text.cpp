#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/latex.hpp>

using namespace rattleback;

namespace {

Expr parameter(const char* name, int order) {
  return Expr(Symbol::make(name, {.role = Role::parameter, .order = order}));
}
Expr velocity(const char* name, int order) {
  return Expr(Symbol::make(name, {.role = Role::velocity, .order = order}));
}

}  // namespace

TEST_CASE("factors: numbers, parameters in their order, coordinates, velocities, functions, sums") {
  const Expr m = parameter("m", 0), J = parameter("J", 1), a = parameter("a", 2);
  const Expr u = velocity("u", 0), omega = velocity("omega", 1);
  CHECK(text(-m * a * u * omega / (J + m * pow(a, 2))) == "-m*a*u*omega/(J + m*a^2)");
  CHECK(text(u * cos(symbol("theta"))) == "u*cos(theta)");
  CHECK(text((u + 1) * a * 3 * sin(symbol("phi"))) == "3*a*sin(phi)*(u + 1)");
}

TEST_CASE("fractions, signs and roots read as people write them") {
  CHECK(text(parse("x/2 - 3/7")) == "x/2 - 3/7");
  CHECK(text(parse("-(x + y)")) == "-(x + y)");
  CHECK(text(parse("1 - x^2")) == "1 - x^2");
  CHECK(text(parse("-x + y")) == "y - x");
  CHECK(text(parse("(1 + x^2)^(-3/2)")) == "1/(1 + x^2)^(3/2)");
  CHECK(text(parse("x*sqrt(2)/2")) == "sqrt(2)*x/2");
  CHECK(text(parse("x^(1/3) + x^n")) == "x^n + x^(1/3)");
  CHECK(text(parse("1/2*m*(x'^2 + y'^2) - m*g*z")) == "m*(x'^2 + y'^2)/2 - g*m*z");
  CHECK(text(parse("A''(x) + V[0,1](x, y)")) == "A''(x) + V[0,1](x, y)");
}

TEST_CASE("matrices") {
  CHECK(text(Matrix{{symbol("x")}, {Expr(0)}}) == "[x, 0]");
  CHECK(text(Matrix::identity(2)) == "[[1, 0], [0, 1]]");
}

TEST_CASE("LaTeX") {
  CHECK(latex(parse("-m*a*u*omega/(J + m*a^2)")) == "-\\frac{a m \\omega u}{J + a^{2} m}");
  CHECK(latex(parse("theta1'^2*sin(phi)^2")) == "\\dot{\\theta}_{1}^{2} \\sin^{2} \\varphi");
  CHECK(latex(parse("-(x + y)")) == "-\\left(x + y\\right)");
  CHECK(latex(parse("sqrt(1 + x^2)^3")) == "\\left(1 + x^{2}\\right)^{3/2}");
  CHECK(latex(parse("m*x'^2/2")) == "\\frac{1}{2} m \\dot{x}^{2}");
  CHECK(latex(parse("I11 + contact_1")) == "I_{11} + \\mathrm{contact}_{1}");
  CHECK(latex(parse("ell*epsilon")) == "\\ell \\varepsilon");
  CHECK(latex_name("A^x_theta") == "A^{x}_{\\theta}");
  CHECK(latex_name("C_12^1") == "C^{1}_{12}");
  CHECK(latex_name("B^xi2_f1,f2") == "B^{\\xi_{2}}_{f_{1},f_{2}}");
  CHECK(latex_name("{p_u, theta}") == "\\{p_{u}, \\theta\\}");
  CHECK(latex(parse("exp(-x*y)")) == "e^{-x y}");
}

TEST_CASE("a formula too long to write is refused, not printed for ever") {
  Expr e = symbol("x");
  for (int i = 0; i < 60; ++i) e = sin(e * e + e);
  CHECK_THROWS_AS(text(e), Exhausted);
}
