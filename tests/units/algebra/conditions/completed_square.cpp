#include <doctest/doctest.h>

#include <rattleback/algebra/conditions/completed_square.hpp>
#include <rattleback/algebra/expression/parse.hpp>

using namespace rattleback;

TEST_CASE("squares that were multiplied out are completed") {
  CHECK(is_positive_by_squares(parse("1 + R^2 + 2*R*cos(x) + cos(x)^2")));
  CHECK(is_positive_by_squares(parse("3 + x^2 + y^2 + x*y - x")));
  CHECK(!is_positive_by_squares(parse("R^2 + 2*R*cos(x) + cos(x)^2")));  // zero where R = −cos x
  CHECK(!is_positive_by_squares(parse("1 + x^2 + y^2 + 3*x*y")));        // of either sign
  CHECK(!is_positive_by_squares(parse("1 + x^4 - 3*x^2")));
}

TEST_CASE("what is positive near zero only is not taken for positive") {
  CHECK(!is_positive_by_squares(parse("100 - x^2")));
  CHECK(!is_positive_by_squares(parse("1 + x^2 + y^2 - 2.02*x*y")));  // negative for x = y = 10
  CHECK(is_positive_by_squares(parse("1 + x^2 + y^2 - 1.98*x*y")));
}

TEST_CASE("a square may have a factor that vanishes: then what is left beside it is positive") {
  const Expr R = symbol("R"), l = symbol("l"), c = Symbol::make("B33", {.role = Role::rotation});
  const Expr apart = pow(R, 2) + pow(l, 2) + 2 * R * l * c;  // the cosine theorem: zero for R = l, c = −1
  CHECK(is_positive_by_squares(1 + apart));
  CHECK(!is_positive_by_squares(apart));
  const Expr no_cosine = symbol("k");
  CHECK(!is_positive_by_squares(1 + pow(R, 2) + pow(l, 2) + 2 * R * l * no_cosine));
}
