#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>

using namespace rattleback;

namespace {

const Expr x = symbol("x"), y = symbol("y");

/// The error that reading gives; a test that expects one fails when there is none.
Error error_of(std::string_view input, const Scope& scope = Scope(Scope::Unknown::becomes_a_symbol)) {
  try {
    parse(input, scope);
  } catch (const Error& e) {
    return e;
  }
  FAIL("no error in: ", input);
  return Error("", "");
}

}  // namespace

TEST_CASE("precedence is that of ordinary notation") {
  CHECK(parse("-x^2") == -pow(x, 2));
  CHECK(parse("2^3^2") == Expr(512));
  CHECK(parse("x/y*2") == 2 * x / y);
  CHECK(parse("x/(y*2)") == x / (2 * y));
  CHECK(parse("2*-x") == -2 * x);
  CHECK(parse("x^-1") == 1 / x);
  CHECK(parse("x - y - 1") == x - y - 1);
  CHECK(parse("- x + y") == y - x);
}

TEST_CASE("numbers are exact") {
  CHECK(parse("0.1") == Expr(Rational(1, 10)));
  CHECK(parse("1.5e-3") == Expr(Rational(3, 2000)));
  CHECK(parse("2e3") == Expr(2000));
  CHECK(parse(".5") == Expr(Rational(1, 2)));
  CHECK(parse("123456789012345678901234567890 - 123456789012345678901234567889").is_one());
}

TEST_CASE("powers that are not whole") {
  CHECK(parse("x^(1/2)") == sqrt(x));
  CHECK(parse("x^(-3/2)") == 1 / (x * sqrt(x)));
  CHECK(parse("x^(1/3)") == exp(log(x) / 3));
  CHECK(parse("x^y") == exp(y * log(x)));
}

TEST_CASE("velocities and abstract functions carry primes") {
  CHECK(parse("x'").symbol().name() == "x'");
  CHECK(parse("A'(x)").function().orders()[0] == 1);
  CHECK(parse("V[1,0](x, y)").function() == Function::abstract("V", 2).differentiated(0));
  CHECK(error_of("V'(x, y)").slug == "wrong-arguments");
  CHECK(error_of("V[1](x, y)").slug == "wrong-arguments");
}

TEST_CASE("vectors and matrices") {
  const Scope scope(Scope::Unknown::becomes_a_symbol);
  CHECK(parse("dot([x, y], [1, 2])", scope) == x + 2 * y);
  CHECK(parse("norm2(cross(e1, e2))", scope).is_one());
  CHECK(parse("cross(e1, e2)[3]", scope).is_one());
  CHECK(parse("(Rz(x)*e1)[2]", scope) == sin(x));
  CHECK(parse("[[1, 2], [3, 4]][2,1]", scope) == Expr(3));
  CHECK(parse("transpose([x, y])*[x, y]", scope) == pow(x, 2) + pow(y, 2));
  CHECK(parse("dot(diag(x, y, 1)*e2, e2)", scope) == y);
  CHECK(std::get<Matrix>(parse_value("2*[x, y] - [x, 0]", scope)) == Matrix{{x}, {2 * y}});
  CHECK(error_of("[x, y] + 1").slug == "shape-mismatch");
  CHECK(error_of("[x, y]*[x, y]").fix == "use dot(u, v) or cross(u, v)");
  CHECK(error_of("cross([x, y], [x, y])").slug == "shape-mismatch");
  CHECK(error_of("e1[4]").slug == "index-out-of-range");
  CHECK(error_of("sin(e1)").slug == "shape-mismatch");
}

TEST_CASE("errors point at the place and say how to fix it") {
  Error e = error_of("x*(y + 1");
  CHECK(e.slug == "syntax");
  CHECK(e.where.at(0).offset == 2);
  CHECK(e.fix == "add `)`");

  e = error_of("2x");
  CHECK(e.where.at(0).offset == 1);
  CHECK(e.fix == "write `*x`");

  CHECK(error_of("1 + sin x").fix == "write `sin(x)`");
  CHECK(error_of("x + θ").fix == "write `theta`");
  CHECK(error_of("x ** 2").fix == "write powers as x^2");
  CHECK(error_of("x +").summary == "the expression ends too early");
  CHECK(error_of("").slug == "syntax");
  CHECK(error_of("x = 1").slug == "syntax");
  CHECK(error_of("1/(x - x)").slug == "division-by-zero");
  CHECK(error_of("1/(x - x)").where.at(0).offset == 1);
  CHECK(error_of("\xff").slug == "unexpected-character");
}

TEST_CASE("a closed scope knows its names and suggests the nearest") {
  Scope scope;
  scope.define("theta", symbol("theta"));
  scope.define("theta'", symbol("theta'"));
  scope.define("mass", symbol("mass"));
  scope.declare("A", 1);
  CHECK(error_of("thetadot^2", scope).fix ==
        "the velocity of a coordinate is written with a prime; use `theta'`");
  CHECK(error_of("mas*2", scope).fix == "did you mean `mass`?");
  CHECK(error_of("theta''", scope).slug == "acceleration");
  CHECK(error_of("sine(theta)", scope).fix == "did you mean `sin`, `sinh`, `asin`?");
  CHECK(error_of("mass(2)", scope).slug == "unknown-function");
  CHECK(error_of("A + 1", scope).summary == "`A` is a function and needs its argument");
  CHECK(parse("A''(theta)", scope).function().orders()[0] == 2);
}

TEST_CASE("hostile input ends quickly with an error") {
  CHECK(error_of(std::string(100'000, '(')).slug == "expression-too-deep");
  CHECK(error_of(std::string(100'000, '-') + "x").slug == "expression-too-deep");
  CHECK(error_of("1e999999").slug == "number-too-large");
  CHECK(error_of(std::string(10'000, '9')).slug == "number-too-large");
  CHECK(error_of("9^9^9^9").slug == "number-too-large");
  CHECK(error_of(std::string(2'000'000, 'x')).slug == "expression-too-long");
  std::string longsum = "x";
  for (int i = 0; i < 50'000; ++i) longsum += "+x*" + std::to_string(i);
  CHECK_NOTHROW(parse(longsum));
}

TEST_CASE("equations have one equals sign") {
  CHECK(parse_equation("x = y").right.has_value());
  CHECK_FALSE(parse_equation("x - y").right.has_value());
  CHECK_THROWS_AS(parse_equation("x == y"), Error);
  CHECK_THROWS_AS(parse_equation("x = y = 1"), Error);
}

TEST_CASE("a text that is no expression gives nothing") {
  Scope scope;
  scope.define("x", parse("x"));
  CHECK(try_parse("x^2/2", scope) == parse("x^2/2"));
  for (const char* text : {"", "x +", "y", "[x, 1]", "1/0", "9^9^9^9", "sin()", "x = 1"})
    CHECK_MESSAGE(!try_parse(text, scope).has_value(), text);
}
