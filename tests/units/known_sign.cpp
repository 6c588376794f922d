#include <doctest/doctest.h>

#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/never_vanishes.hpp>
#include <rattleback/algebra/parse.hpp>

using namespace rattleback;

namespace {

Expr parsed(const char* text) {
  Scope scope(Scope::Unknown::becomes_a_symbol);
  for (const char* name : {"m", "J", "g"})
    scope.define(name, Expr(Symbol::make(name, {.sign = Sign::positive})));
  return parse(text, scope);
}

KnownSign sign(const char* text) { return known_sign(parsed(text)); }

}  // namespace

TEST_CASE("signs follow the rules of signs") {
  CHECK(sign("m*a^2 + J") == KnownSign::positive);
  CHECK(sign("-m*J") == KnownSign::negative);
  CHECK(sign("a^2 + b^4") == KnownSign::nonnegative);
  CHECK(sign("-a^2") == KnownSign::nonpositive);
  CHECK(sign("m*a^2") == KnownSign::nonnegative);
  CHECK(sign("1/(m + a^2)") == KnownSign::positive);
  CHECK(sign("a^(-2)") == KnownSign::positive);
  CHECK(sign("exp(a)*cosh(b)") == KnownSign::positive);
  CHECK(sign("sqrt(m + a^2)") == KnownSign::positive);
  CHECK(sign("sinh(m)") == KnownSign::positive);
  CHECK(sign("0") == KnownSign::zero);
}

TEST_CASE("what the rules do not tell is unknown, not guessed") {
  CHECK(sign("a") == KnownSign::unknown);
  CHECK(sign("m - J") == KnownSign::unknown);
  CHECK(sign("m*a") == KnownSign::unknown);
  CHECK(sign("cos(a)^2 + sin(a)^2") == KnownSign::nonnegative);
  CHECK(sign("a^2*b") == KnownSign::unknown);
  CHECK(sign("sqrt(a)") == KnownSign::nonnegative);
}

TEST_CASE("cosine and sine do not vanish together") {
  for (const char* text : {"cos(a)^2 + sin(a)^2", "m*cos(a)^2 + J*b^2 + m^2*J*sin(a)^2",
                           "-m*cos(a)^2 - sin(a)^2", "m*cos(a)^2 + J*sin(a)^2*(m*cos(b)^2 + J*sin(b)^2)"})
    CHECK(never_vanishes(parsed(text)));
  for (const char* text : {"cos(a)^2 + sin(b)^2", "b^2*cos(a)^2 + m*sin(a)^2", "b*cos(a)^2 + m*sin(a)^2",
                           "m*cos(a)^2 - J*sin(a)^2", "cos(a)^2*sin(a)^2", "cos(a)^2 + sin(a)", "0"})
    CHECK_FALSE(never_vanishes(parsed(text)));
}

TEST_CASE("numbers are measured") {
  CHECK(sign("sqrt(2) - 1") == KnownSign::positive);
  CHECK(sign("pi - 22/7") == KnownSign::negative);
}

TEST_CASE("a canonical form may show what the graph hides") {
  CHECK(sign_revealing(parse("cos(a)^2 + sin(a)^2")).is_one());
  const Expr turned = parse("(cos(a)*cos(b) - sin(a)*sin(b))^2 + (sin(a)*cos(b) + cos(a)*sin(b))^2 + x^2");
  CHECK_FALSE(known_nonzero(turned));
  CHECK(known_nonzero(sign_revealing(turned)));
  for (const char* vanishing : {"cos(a)", "x*y", "(x + y)^2 + x^2", "x^2 - 2*x*y + y^2"})
    CHECK_FALSE(known_nonzero(sign_revealing(parse(vanishing))));
}
