#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/fields/sign_revealing.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

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

TEST_CASE("sines, cosines and entries of rotations lie between -1 and 1") {
  CHECK(sign("2 + cos(a)") == KnownSign::positive);
  CHECK(sign("m*(4 - 4*cos(a) + 5*sin(a)^2)") == KnownSign::nonnegative);
  CHECK(sign("14*J + m*(4 - 4*cos(a) + 5*sin(a)^2)") == KnownSign::positive);
  CHECK(sign("-3/10 + cos(a)*sin(b)^3/5") == KnownSign::negative);
  CHECK(sign("1/(3 - 2*sin(a))") == KnownSign::positive);
  CHECK(sign("(1 + cos(a))^2 - 4") == KnownSign::nonpositive);
  CHECK(sign("2 - cosh(a)") == KnownSign::unknown);
  CHECK(sign("cosh(a) - 1") == KnownSign::nonnegative);
  CHECK(sign("1 + 2*cos(a)") == KnownSign::unknown);
  CHECK(sign("1/10 - cos(a)/10 - 1/1000000000000000000000") == KnownSign::unknown);
  CHECK(sign("m - 1") == KnownSign::unknown);
  // Rounding is on the safe side: 1/3 - 1/3 is not seen to vanish, and 1 - 3*(1/3) neither.
  CHECK(sign("(1/3)*cos(a) + 333333333333333333/1000000000000000000") == KnownSign::unknown);
  // The terms of 1 - cos(a)^2 + sin(a)^2 have two signs, and it does vanish.
  CHECK(sign("1 - cos(a)^2 + sin(a)^2") == KnownSign::nonnegative);
  CHECK_FALSE(never_vanishes(parsed("1 - cos(a)^2 + sin(a)^2")));
}

TEST_CASE("no value contradicts a known sign") {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  const std::vector<Expr> leaves{parsed("a"), parsed("m"), parsed("cos(a)"), parsed("sin(b)"),
                                 parsed("cos(b)")};
  const std::function<Expr(int)> built = [&](int depth) -> Expr {
    if (depth == 0) return below(3) == 0 ? Expr(Rational(below(9) - 4, below(4) + 1)) : leaves[below(5)];
    const Expr x = built(depth - 1);
    switch (below(6)) {
      case 0: return pow(x, 2 + below(2));
      case 1: return x.is_zero() ? x : pow(x, -1 - below(2));
      case 2: return abs(x);
      case 3: return x * built(depth - 1);
      default: return x + built(depth - 1);
    }
  };
  const auto contradicts = [](KnownSign sign, double value) {
    constexpr double rounding = 1e-9;
    if (!std::isfinite(value)) return false;
    const bool above =
                   sign == KnownSign::positive || sign == KnownSign::nonnegative || sign == KnownSign::zero,
               beneath =
                   sign == KnownSign::negative || sign == KnownSign::nonpositive || sign == KnownSign::zero;
    return (above && value < -rounding) || (beneath && value > rounding);
  };
  std::uniform_real_distribution<double> number(-4, 4);
  int known = 0, wrong = 0, wrong_by_a_third = 0;
  for (int k = 0; k < 4000; ++k) {
    const Expr e = built(4);
    const KnownSign sign = known_sign(e);
    if (sign == KnownSign::unknown) continue;
    ++known;
    for (int point = 0; point < 10; ++point) {
      const Numbers at{{parsed("a").symbol(), number(random)},
                       {parsed("b").symbol(), number(random)},
                       {parsed("m").symbol(), std::abs(number(random))}};
      const double value = evaluate(e, at);
      wrong += contradicts(sign, value);
      wrong_by_a_third +=
          contradicts(sign, value - 1.0 / 3) || contradicts(sign, value + 1.0 / 3);  // the mutant
    }
  }
  CHECK(wrong == 0);
  CHECK(known > 500);
  CHECK(wrong_by_a_third > 100);
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
