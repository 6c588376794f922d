#include <rattleback/algebra/conditions/assumptions.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>

using namespace rattleback;

namespace {

Assumptions nonzero(Expr e) { return simplified({{e, Assumption::Kind::nonzero, "a test"}}); }

/// So many terms that no short form is searched.
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

TEST_CASE("what follows from another condition is not stated") {
  const auto stated = [](std::initializer_list<const char*> conditions) {
    Assumptions where;
    for (const char* e : conditions) where.push_back({parse(e), Assumption::Kind::nonzero, "a test"});
    return simplified(where);
  };
  // x² + y² = 0 would make x = 0.
  REQUIRE(stated({"x^2 + y^2", "x"}).size() == 1);
  CHECK(stated({"x^2 + y^2", "x"})[0].expression == parse("x"));
  CHECK(stated({"x^2 + y^2", "z"}).size() == 2);
  CHECK(stated({"x^2 + 3*y^2", "x^2*w^2 + y^4"}).size() == 1);
  CHECK(stated({"(sin(x) - y)^2 + z^2", "y - sin(x)"}).size() == 1);
  CHECK(stated({"x^2 + y^2", "x^2 + z^2"}).size() == 2);
  CHECK(stated({"x^2 - y^2 + 3*x*y", "x"}).size() == 2);
  // The same condition twice, up to what has no zeros.
  CHECK(stated({"x^4/2 + x^2*y^2/2 + y^4/2", "x^2*y^2 - (x^2 + y^2)^2"}).size() == 1);
  CHECK(stated({"x + y*z/(1 + w^2)", "x*(1 + w^2) + y*z"}).size() == 1);
  CHECK(stated({"x + y*z", "x*w + y*z"}).size() == 2);
  CHECK(stated({"1 + sin(x)", "cos(x)", "1 - sin(x)"}).size() == 1);
  CHECK(stated({"1 + sin(x)", "1 - sin(x)"}).size() == 2);
}

TEST_CASE("squares that are multiplied out are seen") {
  CHECK(nonzero(parse("1 + a^2 + 2*R*a*cos(th) + R^2*cos(th)^2")).empty());  // 1 + (a + R cos θ)²
  CHECK(nonzero(parse("1 + 2*R*a*cos(th) + R^2*(1 + sin(th)^2) + a^2*cos(th)^2")).empty());
  CHECK(nonzero(parse("-3 - x^2 - y^2 - x*y")).empty());
  CHECK(nonzero(parse("a^2 + 2*R*a*cos(th) + R^2*cos(th)^2")).size() == 1);
  CHECK(nonzero(parse("1 + x^2 + y^2 + 3*x*y")).size() == 1);
}

TEST_CASE("positive factors do not make a condition longer") {
  const auto positive = [](const char* e) {
    return simplified({{parse(e), Assumption::Kind::positive, "a test"}}).at(0).expression;
  };
  CHECK(positive("4*x*y") == parse("x*y"));
  CHECK(positive("-9*(x^2 - y)*(1 + z^2)") == parse("y - x^2"));
}
