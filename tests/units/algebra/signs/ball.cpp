#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/ball.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

using namespace rattleback;

namespace {

const Symbol x = Symbol::make("x"), y = Symbol::make("y");

BallPoint point(const Rational& at_x, const Rational& at_y = 1) {
  BallPoint p(1);
  p.set(x, at_x);
  p.set(y, at_y);
  return p;
}

Symbol rotation(int i, int j) {
  Symbol::Attributes a;
  a.role = Role::rotation;
  a.family = "B";
  a.entry = 3 * i + j;
  return Symbol::make("B" + std::to_string(i) + std::to_string(j), a);
}

}  // namespace

TEST_CASE("a ball contains the number and says how far it may be off") {
  const auto root = evaluate_ball(sqrt(Expr(x)), point(2), 128);
  REQUIRE(root);
  CHECK(root->midpoint() == doctest::Approx(1.4142135623730951));
  CHECK(root->radius() > 0);
  CHECK(root->radius() < 1e-37);
  CHECK(root->is_positive());
  CHECK(root->text().starts_with("1.41421356237 ± "));
  // √2² − 2 is zero, and a ball can never exclude it.
  CHECK(evaluate_ball(sqrt(Expr(x)) * sqrt(Expr(y)) - 2, point(2, 2), 512)->contains_zero());
}

TEST_CASE("every elementary function agrees with its double") {
  for (int i = 0; i < static_cast<int>(Builtin::abstract); ++i) {
    const Function f = Function::builtin(static_cast<Builtin>(i));
    const Rational at = f.name() == "acosh" ? Rational(17, 10) : Rational(2, 5);
    const auto value = evaluate_ball(call(f, {Expr(x)}), point(at), 128);
    CAPTURE(f.name());
    REQUIRE(value);
    CHECK(value->midpoint() == doctest::Approx(value_of(f.kind(), at.to_double())).epsilon(1e-14));
    CHECK(value->radius() < 1e-36);
  }
}

TEST_CASE("outside the real domain there is no value") {
  CHECK_FALSE(evaluate_ball(sqrt(Expr(x)), point(-1), 128));
  CHECK_FALSE(evaluate_ball(log(Expr(x)), point(-1), 128));
  CHECK_FALSE(evaluate_ball(log(Expr(x)), point(0), 128));
  CHECK_FALSE(evaluate_ball(1 / Expr(x), point(0), 128));
  CHECK_FALSE(evaluate_ball(asin(Expr(x)), point(2), 128));
  CHECK_FALSE(evaluate_ball(acosh(Expr(x)), point(Rational(1, 2)), 128));
  CHECK(evaluate_ball(sqrt(Expr(x)), point(0), 128));
}

TEST_CASE("more bits are taken until a small number shows") {
  const Expr e = pow(sin(Expr(x)), 2) + pow(cos(Expr(x)), 2) - 1 + Expr(power(Rational(10), -60));
  CHECK(evaluate_ball(e, point(1), 64)->contains_zero());
  CHECK(evaluate_until_nonzero(e, point(1))->is_positive());
  CHECK(evaluate_until_nonzero(e, point(1), 128)->contains_zero());
}

TEST_CASE("the point lies on the manifold, and positive symbols are positive") {
  Symbol::Attributes positive;
  positive.sign = Sign::positive;
  Symbol::Attributes unit;
  unit.role = Role::direction;
  unit.family = "gamma";
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const BallPoint p(seed);
    CHECK(p.value(Symbol::make("m", positive)).sign() > 0);
    Rational norm;
    for (int i = 0; i < 3; ++i) {
      unit.entry = i;
      const Rational g = p.value(Symbol::make("g" + std::to_string(i), unit));
      norm = norm + g * g;
      for (int j = 0; j < 3; ++j) {
        Rational product;
        for (int k = 0; k < 3; ++k) product = product + p.value(rotation(k, i)) * p.value(rotation(k, j));
        CHECK(product == Rational(i == j ? 1 : 0));
      }
    }
    CHECK(norm == Rational(1));
    const auto b = [&](int i, int j) { return p.value(rotation(i, j)); };
    CHECK(b(0, 0) * b(1, 1) - b(0, 1) * b(1, 0) ==
          b(2, 2));  // a proper rotation: its cofactors are its entries
  }
}

TEST_CASE("an abstract function and its derivatives belong together") {
  const Function A = Function::abstract("A", 2);
  const Expr e = call(A, {Expr(x) * Expr(y), Expr(x)});
  const Rational h(1, 1000000);
  const auto at = [&](const Rational& shift) {
    return evaluate_ball(e, point(Rational(1, 2) + shift, 2), 128)->midpoint();
  };
  const auto slope = evaluate_ball(derivative(e, x), point(Rational(1, 2), 2), 128);
  CHECK(slope->midpoint() == doctest::Approx((at(h) - at(-h)) / 2e-6).epsilon(1e-6));
}
