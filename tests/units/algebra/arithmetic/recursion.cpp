// Formulas that are nested very deeply, and forms that once were looked for without end.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/modular/modular.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

using namespace rattleback;

namespace {

/// sin(x + sin(x + …)).
Expr nested(int depth) {
  const Expr x = Symbol::make("x");
  Expr e = x;
  for (int k = 0; k < depth; ++k) e = sin(x + e / 2);
  return e;
}

/// 1/(x + 1/(x + …)).
Expr continued_fraction(int depth) {
  const Expr x = Symbol::make("x");
  Expr e = x;
  for (int k = 0; k < depth; ++k) e = 1 / (x + e);
  return e;
}

/// Uses the stack up, unless it is told to stop.
int descend(int level) {
  allow_recursion();
  volatile char frame[1000] = {};
  frame[level % 1000] = 1;
  return level < 0 ? 0 : descend(level + 1) + frame[0];
}

}  // namespace

TEST_CASE("recursion ends with an exception before the stack does") {
  CHECK_THROWS_AS(descend(0), Exhausted);
  CHECK_THROWS_AS(descend(0), Exhausted);  // and again
}

TEST_CASE("deep formulas are answered, or left open") {
  const Expr deep = continued_fraction(100'000);
  const auto survives = [&](auto f) {
    try {
      const Budget budget({.time = std::chrono::seconds(5)});
      f();
    } catch (const Exhausted&) {
      return true;  // left open
    }
    return true;
  };
  CHECK(survives([&] { known_sign(deep); }));
  CHECK(survives([&] { derivative(deep, Symbol::make("x")); }));
  CHECK(survives([&] { static_cast<void>(ModularProgram(deep).run_near(1)); }));
  CHECK(survives([&] { static_cast<void>(is_zero(deep)); }));
  CHECK(survives([&] { known_sign(nested(5000)); }));
  CHECK(survives([&] { canonical(nested(3000)); }));
  CHECK(survives([&] { short_form(nested(300)); }));
}

TEST_CASE("an angle under a root does not come back forever when the rest is written in twice the angle") {
  // cos²(x/2)·√(2 + cos(x/2)): the first factor is (1 + cos x)/2, the root still needs x/2.
  for (const char* text : {"cos(x/2)^2*sqrt(2 + cos(x/2))", "sin(x/2)*cos(x/2)/sqrt(1 + cos(3/10)^2)",
                           "cos(3/10)^2*sqrt(2 + cos(3/10))*y", "cos(x/4)^4/sqrt(3 + sin(x/4))"}) {
    CAPTURE(text);
    const Expr e = parse(text);
    CHECK(proved(is_zero(canonical(e) - e)));
  }
}
