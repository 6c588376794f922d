// Numbers as people type them: angles of many digits, steep exponents, small fractions of a turn.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

using namespace rattleback;

namespace {

ExactAnswer answer(const char* expression) { return exact_zero(parse(expression)).answer; }

}  // namespace

TEST_CASE("angles are decimals of any length") {
  CHECK(answer("cos(0.1745)^2 + sin(0.1745)^2 - 1") == ExactAnswer::zero);
  CHECK(answer("cos(x + 0.1745) - cos(x)*cos(0.1745) + sin(x)*sin(0.1745)") == ExactAnswer::zero);
  CHECK(answer("sin(2*1.5707963267948966) - 2*sin(1.5707963267948966)*cos(1.5707963267948966)") ==
        ExactAnswer::zero);
  CHECK(answer("cos(1000*x)^2 + sin(1000*x)^2 - 1") == ExactAnswer::zero);
  CHECK(answer("cos(349/2000*pi)^2 + sin(349/2000*pi)^2 - 1") == ExactAnswer::zero);
  CHECK(answer("cos(1e25*pi) - 1") == ExactAnswer::zero);
  CHECK(answer("cos(0.1745) - cos(0.1746)") != ExactAnswer::zero);
}

TEST_CASE("angles that are no small multiples of one another are generators of which nothing is claimed") {
  // x and 1000 x: in truth the one cosine is a polynomial in the other, so a form that is not zero proves nothing
  CHECK(answer("(cos(x) + cos(1000*x))^2 - cos(x)^2 - 2*cos(x)*cos(1000*x) - cos(1000*x)^2") ==
        ExactAnswer::zero);
  CHECK(answer("cos(x) - cos(1000*x)") == ExactAnswer::unknown);
  CHECK(answer("cos(0.1745)*cos(0.35) - cos(0.1745)*cos(0.35)*(sin(0.0617)^2 + cos(0.0617)^2)") ==
        ExactAnswer::zero);
}

TEST_CASE("steep exponents are generators, not high powers") {
  CHECK(answer("tanh(20000*x)^2 - 1 + 1/cosh(20000*x)^2") == ExactAnswer::zero);
  CHECK(answer("exp(20000*x)*exp(-20000*x) - 1") == ExactAnswer::zero);
  CHECK(answer("exp(3*x/2)*exp(x/2) - exp(x)^2") == ExactAnswer::zero);
}
