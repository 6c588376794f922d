#include <doctest/doctest.h>

#include <cmath>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

using namespace rattleback;

namespace {

const Symbol x = Symbol::make("x"), y = Symbol::make("y");

}  // namespace

TEST_CASE("an expression has the value of its formula") {
  const Expr e = pow(Expr(x), 3) / (1 + Expr(y)) - sqrt(Expr(y)) * exp(-Expr(x)) + pi();
  const double expected = std::pow(0.7, 3) / 2.3 - std::sqrt(1.3) * std::exp(-0.7) + std::acos(-1.0);
  CHECK(evaluate(e, {{x, 0.7}, {y, 1.3}}) == doctest::Approx(expected).epsilon(1e-15));
}

TEST_CASE("every elementary function has its value, and its slope is its derivative") {
  for (int i = 0; i < static_cast<int>(Builtin::abstract); ++i) {
    const Function f = Function::builtin(static_cast<Builtin>(i));
    const double at = f.name() == "acosh" ? 1.7 : 0.4;
    const Expr e = call(f, {Expr(x) * Expr(y)});
    CAPTURE(f.name());
    CHECK(evaluate(e, {{x, at}, {y, 1}}) == value_of(f.kind(), at));
    CHECK(evaluate(in_primitives(call(f, {Expr(x)})), {{x, at}}) ==
          doctest::Approx(value_of(f.kind(), at)).epsilon(1e-14));
    const Dual d = evaluate_dual(e, {{x, at}, {y, 1}}, {{x, 2}, {y, 3}});
    CHECK(d.value == value_of(f.kind(), at));
    const double slope =
        evaluate(derivative(e, x), {{x, at}, {y, 1}}) * 2 + evaluate(derivative(e, y), {{x, at}, {y, 1}}) * 3;
    CHECK(d.tangent == doctest::Approx(slope).epsilon(1e-13));
    const double h = 1e-6, difference = (value_of(f.kind(), at + h) - value_of(f.kind(), at - h)) / (2 * h);
    CHECK(evaluate_dual(call(f, {Expr(x)}), {{x, at}}, {{x, 1}}).tangent ==
          doctest::Approx(difference).epsilon(1e-7));
  }
}

TEST_CASE("duals follow sums, products and powers") {
  const Expr e = pow(Expr(x), -2) * Expr(y) + pow(Expr(y), 3);
  const Dual d = evaluate_dual(e, {{x, 2}, {y, 3}}, {{x, 1}, {y, -1}});
  CHECK(d.value == doctest::Approx(0.75 + 27));
  CHECK(d.tangent == doctest::Approx(-2.0 / 8 * 3 - 0.25 - 27));
}

TEST_CASE("what has no value is named") {
  CHECK_THROWS_WITH_AS(evaluate(Expr(x) + Expr(y), {{x, 1}}), doctest::Contains("`y`"), Error);
  const Function A = Function::abstract("A", 1);
  CHECK_THROWS_WITH_AS(evaluate(call(A, {Expr(x)}), {{x, 1}}), doctest::Contains("`A`"), Error);
  const AbstractValues square = [](Function f, std::span<const double> a) {
    return f.orders()[0] == 0 ? a[0] * a[0] : 2 * a[0];
  };
  CHECK(evaluate(call(A.differentiated(0), {Expr(x)}), {{x, 3}}, square) == 6);
}
