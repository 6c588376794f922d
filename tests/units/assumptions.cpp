#include <rattleback/algebra/assumptions.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/parse.hpp>

using namespace rattleback;

namespace {

Assumptions nonzero(Expr e) { return simplified({{e, Assumption::Kind::nonzero, "a test"}}); }

/// So many terms that nobody looks for a short form.
Expr long_sum() {
  std::vector<Expr> terms;
  for (int k = 0; k < 1500; ++k)
    terms.push_back(symbol("a" + std::to_string(k)) * symbol("b" + std::to_string(k)));
  return sum(terms);
}

}  // namespace

TEST_CASE("a product vanishes with its factors, and those that never do are not listed") {
  const Assumptions found = nonzero(parse("x^2*(1 + y^2)*sin(z)/w"));
  REQUIRE(found.size() == 2);
  CHECK(found[0].expression == parse("x"));
  CHECK(found[1].expression == parse("sin(z)"));
}

TEST_CASE("a sum of fractions vanishes with its numerator, and is not listed beside it") {
  const Assumptions found =
      simplified({{parse("a^2/x + b^2/y + c/z"), Assumption::Kind::nonzero, "a test"},
                  {parse("a^2*y*z + b^2*x*z + c*x*y"), Assumption::Kind::nonzero, "a test"}});
  REQUIRE(found.size() == 1);
  CHECK((found[0].expression - parse("a^2*y*z + b^2*x*z + c*x*y")).is(Kind::sum) == false);
  CHECK(nonzero(parse("a^2/(1 + x^2) + 1/(1 + y^2)")).empty());
}

TEST_CASE("factors of what has no short form are written in theirs") {
  const Expr e = long_sum(), one_over_cos = parse("sin(x)^2/cos(x) + cos(x)");
  const Assumptions found = nonzero(e * one_over_cos);
  REQUIRE(found.size() == 1);  // 1/cos(x) has no zero
  CHECK(found[0].expression == e);
  CHECK(nonzero(e * parse("sin(x)^2/cos(x) - cos(x)")).size() == 2);
}
