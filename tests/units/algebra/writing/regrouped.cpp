#include <doctest/doctest.h>

#include <rattleback/algebra/conditions/corner_sign.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/squared_forms.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/never_vanishes.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/regrouped.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

using namespace rattleback;

namespace {

Scope with_positive(std::initializer_list<const char*> names) {
  Scope scope(Scope::Unknown::becomes_a_symbol);
  int order = 0;
  for (const char* name : names)
    scope.define(name, Expr(Symbol::make(name, {Role::parameter, Sign::positive, order++, {}, 0})));
  return scope;
}

}  // namespace

TEST_CASE("numbers and denominators stand where they take least room") {
  for (const auto& [written, shorter] :
       {std::pair{"p^2/(2*J) + q^2/(2*m)", "(p^2/J + q^2/m)/2"},
        std::pair{"(a*x - b*y)*(c + d)/(a*b)", "(c + d)*(x/b - y/a)"}, std::pair{"(x + y)/2", "(x + y)/2"}}) {
    CAPTURE(written);
    const Expr e = parse(written), found = regrouped(e);
    CHECK(text(found).size() == text(parse(shorter)).size());
    CHECK(proved(is_zero(e - found)));
    CHECK(regrouped(found) == found);
    CHECK_FALSE(proved(is_zero(e - 2 * found)));
  }
}

TEST_CASE("squares of velocities that have a meaning stay together") {
  const Expr energy =
      parse("I*(r' + t'*sin(x))^2 + J*(l'^2 + t'^2*cos(x)^2) + m*(l'^2 + (r' + t'*sin(x))^2)");
  const auto squares = in_squared_forms(energy);
  REQUIRE(squares);
  CHECK(substitute(squares->expression, squares->back) == energy);
  const Expr found = short_form(energy);
  CHECK(proved(is_zero(energy - found)));
  CHECK(text(found).size() <=
        text(parse("J*t'^2*cos(x)^2 + l'^2*(J + m) + (I + m)*(r' + t'*sin(x))^2")).size());
  CHECK_FALSE(in_squared_forms(parse("x/(J + m*a^2)^2")));
}

TEST_CASE("what has one sign at all corners has no zeros") {
  const Scope scope = with_positive({"J", "m", "I1", "I2", "I3", "d"});
  for (const char* positive :
       {"J*sin(x)^2 + m*cos(x)^2", "J + m*d^2 + cos(x)^2*(d^2*m - J)", "d + m + m*cos(x)",
        "d^2*(1 + m^2) + cos(x)^2*(m^2*sin(y)^2 - d^2)",
        "I3*(m + I1)*(m + I2) + m*sin(x)^2*((m + I2)*(I1 - I3) + cos(y)^2*(m + I3)*(I2 - I1))"}) {
    CAPTURE(positive);
    CHECK(is_of_one_sign(parse(positive, scope)));
  }
  for (const char* other : {"J - m*cos(x)^2", "m*cos(x) + d", "J*cos(x)^2 + m*sin(x)", "cos(x)^2 - sin(y)^2"})
    CHECK_FALSE(is_of_one_sign(parse(other, scope)));
}

TEST_CASE("a row of a rotation matrix is a unit vector") {
  const Scope scope = with_positive({"I1", "I2", "I3", "m"});
  std::vector<Expr> B;
  for (int k = 0; k < 9; ++k)
    B.emplace_back(Symbol::make("B" + std::to_string(k / 3 + 1) + std::to_string(k % 3 + 1),
                                {.role = Role::rotation, .family = "B", .entry = k}));
  const Expr I1 = parse("I1", scope), I2 = parse("I2", scope), I3 = parse("I3", scope);
  const Expr g1 = pow(B[6], 2), g2 = pow(B[7], 2), g3 = pow(B[8], 2);
  CHECK(is_of_one_sign(I1 * g1 + I2 * g2 + I3 * g3));
  CHECK(is_of_one_sign(I1 * g1 + I2 * g2 - I3 * (g1 - 1 + g2)));
  CHECK(is_of_one_sign(I1 + g2 * (I2 - I1)));
  CHECK(is_of_one_sign(I1 * pow(I2 + I3 * B[8], 2) + I2 * (I3 + I1 - I1 * g3)));
  CHECK_FALSE(is_of_one_sign(I1 * g1 + I2 * g2 - I3 * g3));
  CHECK_FALSE(is_of_one_sign(I1 * g1 + I2 * g2));
  CHECK_FALSE(is_of_one_sign(I1 * g1 + I2 * pow(B[4], 2) + I3 * g3));  // not one row
}
