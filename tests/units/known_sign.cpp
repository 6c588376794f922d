#include <doctest/doctest.h>

#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/algebra/parse.hpp>

using namespace rattleback;

namespace {

KnownSign sign(const char* text) {
  Scope scope(Scope::Unknown::becomes_a_symbol);
  for (const char* name : {"m", "J", "g"})
    scope.define(name, Expr(Symbol::make(name, {.sign = Sign::positive})));
  return known_sign(parse(text, scope));
}

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

TEST_CASE("numbers are measured") {
  CHECK(sign("sqrt(2) - 1") == KnownSign::positive);
  CHECK(sign("pi - 22/7") == KnownSign::negative);
}

TEST_CASE("a canonical form may show what the graph hides") {
  const Expr e = parse("cos(a)^2 + sin(a)^2");
  CHECK_FALSE(known_nonzero(e));
  CHECK(known_nonzero(sign_revealing(e)));
  const Expr vanishing = parse("cos(a)");
  CHECK_FALSE(known_nonzero(sign_revealing(vanishing)));
}
