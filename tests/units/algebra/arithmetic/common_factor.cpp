#include <rattleback/algebra/arithmetic/common_factor.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/common_term.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>

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

namespace {

/// What FLINT says, without our short cuts.
Polynomial gcd_by_flint(const Polynomial& a, const Polynomial& b) {
  Polynomial g(a.ring());
  fmpz_mpoly_gcd(g.raw(), a.raw(), b.raw(), a.ring().context());
  return g;
}

slong factors_by_flint(const Polynomial& p) {
  fmpz_mpoly_factor_t f;
  fmpz_mpoly_factor_init(f, p.ring().context());
  fmpz_mpoly_factor(f, p.raw(), p.ring().context());
  const slong count = fmpz_mpoly_factor_length(f, p.ring().context());
  fmpz_mpoly_factor_clear(f, p.ring().context());
  return count;
}

Polynomial product_of(const Factored& f, const Ring& ring) {
  Polynomial p(ring, f.constant.to_long(0));
  for (const auto& [base, exponent] : f.factors) p = p * power(base, static_cast<unsigned>(exponent));
  return p;
}

}  // namespace

TEST_CASE("what all terms have in common is what FLINT says, and divides every one") {
  const Example in;
  const std::vector<const char*> polynomials{"6*x*(x + y)",
                                             "-4*x^3*y^2*z + 10*x^2*y^3 - 6*x^2*y^2",
                                             "x + y*z",
                                             "12*x^70*y - 18*x^65*y^2*z",
                                             "9*x*y^2*z^3",
                                             "-2*z",
                                             "7*x*z + 7*z + 14*y*z"};
  for (const char* p : polynomials) {
    CAPTURE(p);
    Polynomial content(in("x").ring());
    fmpz_mpoly_term_content(content.raw(), in(p).raw(), content.ring().context());
    CHECK(common_term(in(p)) == content);
    CHECK(divided_by_term(in(p), content) * content == in(p));
    for (const char* q : polynomials) {
      Polynomial other(in("x").ring());
      fmpz_mpoly_term_content(other.raw(), in(q).raw(), other.ring().context());
      CHECK(common_term(in(p), in(q)) == gcd_by_flint(content, other));
    }
  }
}

TEST_CASE("greatest common divisors from small parts are those of FLINT") {
  const Example in;
  // The coefficients of z share x + y, or x² − y², of which all that is left is a part, or nothing, or all.
  const std::vector<const char*> polynomials{"(x + y)*(z + 1)*(x - z)",
                                             "(x^2 - y^2)*z + x + y",
                                             "(x^2 - y^2)*z + x - y",
                                             "6*x*(x^2 - y^2)*(z^2 + x)",
                                             "(x + y)*z^2 + (x^2 - y^2)*z + 3*x + 1",
                                             "-4*x^2*(x + y)^2",
                                             "(x + y)*(x^2 + 2*y^2)*(3 - z*x)",
                                             "2*(x^2 + 2*y^2)*(z^3 + y*z)"};
  for (const char* p : polynomials) {
    for (const char* q : polynomials) {
      CAPTURE(p);
      CAPTURE(q);
      const Polynomial expected = gcd_by_flint(in(p), in(q));
      CHECK(gcd(in(p), in(q)) == expected);
      Polynomial n = in(p), d = in(q);
      divide_by_gcd(n, d);
      CHECK(gcd_by_flint(n, d).is_one());
      CHECK(n * in(q) == d * in(p));
      CHECK(d.coefficient(0).sign() > 0);
      CHECK((n + d) * in(q) != d * in(p));
    }
  }
}

TEST_CASE("what contains squares only is factored as by FLINT") {
  const Example in;
  CHECK(is_irreducible_in_squares(in("x + y"), 0));
  CHECK_FALSE(is_irreducible_in_squares(in("x - 4*y^2"), 0));  // (x − 2y)(x + 2y)
  CHECK_FALSE(is_irreducible_in_squares(in("x^2 + 2*x*y + 4*y^2"),
                                        0));  // a square at 0: x⁴ + 2x²y + 4y² is not excluded
  for (const char* p :
       {"x^4 - y^4", "x^4 + x^2*y^2 + y^4", "(x^2 + y^2*z^2)^2", "x^4 - 3*x^2*y^2 + y^4*z^2 + z^4",
        "(x^2 - 4*y^2)*(x^2 + y^2 + z^2)^3", "x^4 + 4*y^4", "x^8 - z^4*y^4", "3*(x^4 + y^2)^2*(x^6 - z^6)"}) {
    CAPTURE(p);
    const Factored found = factored(in(p));
    CHECK(std::ssize(found.factors) == factors_by_flint(in(p)));
    CHECK(product_of(found, in.field.ring()) == in(p));
    CHECK(product_of(found, in.field.ring()) + in("1") != in(p));
  }
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
