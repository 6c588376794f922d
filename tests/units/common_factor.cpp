#include <rattleback/algebra/common_factor.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/exact_field.hpp>
#include <rattleback/algebra/parse.hpp>

using namespace rattleback;

namespace {

/// Polynomials in x, y, z.
struct Example {
  Field field{parse("x + y + z")};
  Polynomial operator()(const char* p) const { return field.element(parse(p)).numerator(); }
};

}  // namespace

TEST_CASE("common factors are found, and where there is none that is seen at a glance") {
  const Example in;
  CHECK(share_only_terms(in("x*y + z^2"), in("x^2 + y + 3*z")));
  CHECK(share_only_terms(in("x^2*y + x*z"), in("x^3 + x*y^2")));
  CHECK_FALSE(share_only_terms(in("(x + y)*(x + z)"), in("(x + y)*(y - z)")));
  CHECK(gcd(in("6*x*(x + y)"), in("4*x^2*(x + y)*(y - z)")) == in("2*x^2 + 2*x*y"));
  CHECK(gcd(in("6*x*y + 6*x*z"), in("4*x^2*y + 4*x^2")) == in("2*x"));
}

TEST_CASE("quadratics are factored as by FLINT: irreducible, in two factors, a square") {
  const Example in;
  CHECK(is_irreducible_quadratic(in("x^2 + y^2")));
  CHECK_FALSE(is_irreducible_quadratic(in("x^2 - y^2")));
  CHECK(factored(in("x^2*z^2 - 4*y^2")).factors.size() == 2);
  CHECK(factored(in("2*x^2 - y^2")).factors.size() == 1);
  const Factored square = factored(in("x^2*y^2 - 2*x*y*z^2 + z^4"));
  REQUIRE(square.factors.size() == 1);
  CHECK(square.factors[0].exponent == 2);
}
