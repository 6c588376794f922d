#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/fields/exact.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/poisson_vector.hpp>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/exact_element.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/generators.hpp>

using namespace rattleback;

namespace {

ExactAnswer answer(const char* expression) { return exact_zero(parse(expression)).answer; }

std::string canonical_text(const char* expression) { return text(canonical(parse(expression))); }

}  // namespace

TEST_CASE("identities are zero in the exact field") {
  for (const char* identity : {
           "sin(x)^2 + cos(x)^2 - 1",
           "sin(3*x) - 3*sin(x) + 4*sin(x)^3",
           "cos(x + y - 2*z) - cos(x + y)*cos(2*z) - sin(x + y)*sin(2*z)",
           "tan(x/2) - sin(x)/(1 + cos(x))",
           "tan(x + pi/4) - (1 + tan(x))/(1 - tan(x))",
           "sec(x)^2 - tan(x)^2 - 1 + csc(y)*sin(y) - 1",
           "1/(1 + sin(x)) - (1 - sin(x))/cos(x)^2",
           "sin(x/3)*4*sin(x/3)^2 - 3*sin(x/3) + sin(x)",
           "1/(sqrt(1 + x^2) - x) - sqrt(1 + x^2) - x",
           "sqrt(3 + 2*sqrt(2)) - 1 - sqrt(2)",
           "sqrt(3 - 2*sqrt(2)) + 1 - sqrt(2)",
           "sqrt(2 + sqrt(3)) - (sqrt(6) + sqrt(2))/2",
           "sqrt(10 + 2*sqrt(5))*sqrt(10 - 2*sqrt(5)) - 4*sqrt(5)",
           "sqrt(x + 1 + 2*sqrt(x)) - 1 - sqrt(x)",
           "sqrt(5/9) - sqrt(5)/3",
           "cos(pi/5) - (1 + sqrt(5))/4",
           "4*sin(pi/12) - sqrt(6) + sqrt(2)",
           "sin(pi/8)^2 - (2 - sqrt(2))/4",
           "sin(pi/16)*cos(pi/16) - sqrt(2 - sqrt(2))/4",
           "cos(pi/15)*2 - cos(2*pi/3 - 3*pi/5)*2",
           "cos(x + 2*pi/3) + cos(x) + cos(x - 2*pi/3)",
           "exp(x + y/2)*exp(x - y/2) - exp(x)^2",
           "cosh(2*x) - 2*sinh(x)^2 - 1",
           "tanh(x/2) - sinh(x)/(1 + cosh(x))",
           "log(exp(x)*y^2) - x - log(y^2)",
           "x^(1/3)*x^(2/3) - x",
           "x^(n + 1) - x*x^n",
           "2^(4/3) - 2*2^(1/3)",
           "sqrt(x)*x^(1/3) - x^(5/6)",
           "sin(atan(x)) - x/sqrt(1 + x^2)",
           "cos(2*asin(x)) - 1 + 2*x^2",
           "tan(atan(x) + atan(y)) - (x + y)/(1 - x*y)",
           "tan(atan(x)/2) - x/(1 + sqrt(1 + x^2))",
           "atanh(x) - log((1 + x)/(1 - x))/2",
           "abs(x*y) - abs(x)*abs(y)",
           "A((x^2 - 1)/(x - 1)) - A(x + 1)",
           "A'(sin(x)^2) - A'(1 - cos(x)^2)",
           "sin((x + y)/z)*cos(y/z) - cos((x + y)/z)*sin(y/z) - sin(x/z)",
           "sin(sin(2*x)) - sin(2*sin(x)*cos(x))",
       }) {
    CAPTURE(identity);
    CHECK(answer(identity) == ExactAnswer::zero);
    CHECK(canonical(parse(identity)) == Expr(0));
  }
}

TEST_CASE("what is not zero is told apart from what is unknown") {
  CHECK(answer("sin(x)^2 - cos(x)^2") == ExactAnswer::nonzero);
  CHECK(answer("sqrt(1 + x^2) - x") == ExactAnswer::nonzero);
  CHECK(answer("exp(x)*exp(y) - exp(x*y)") == ExactAnswer::nonzero);
  CHECK(answer("sqrt(2) + sqrt(3) - sqrt(10)") == ExactAnswer::nonzero);
  CHECK(answer("A(x) - A(y)") == ExactAnswer::nonzero);
  // 8c³ − 4c² − 4c + 1 = 0 for c = cos(π/7): true, and beyond this field.
  CHECK(answer("8*cos(pi/7)^3 - 4*cos(pi/7)^2 - 4*cos(pi/7) + 1") == ExactAnswer::unknown);
  CHECK(answer("atan(x) + atan(1/x) - pi/2") == ExactAnswer::unknown);
  // |x| − x vanishes for x > 0 only; √(1−c)·√(1+c) is |s|, a dependence no relation here states.
  CHECK(answer("sqrt(x^2) - x") == ExactAnswer::unknown);
  CHECK(answer("sqrt(1 - cos(x))*sqrt(1 + cos(x)) - sin(x)") != ExactAnswer::zero);
  CHECK(answer("sin(x/(1 + x) + 1/(1 + x)) - sin(1)") == ExactAnswer::zero);
}

TEST_CASE("roots of products are taken apart under recorded assumptions only") {
  const ExactZero zero = exact_zero(parse("sqrt(x)*sqrt(y) - sqrt(x*y)"));
  CHECK(zero.answer == ExactAnswer::zero);
  REQUIRE(zero.assumptions.size() == 2);
  CHECK(zero.assumptions[0].kind == Assumption::Kind::positive);
  CHECK(canonical_text("sqrt(x)*sqrt(y) - sqrt(x*y)") == "sqrt(x)*sqrt(y) - sqrt(x*y)");

  // Positive symbols need none.
  const Expr m(Symbol::make("m", {Role::parameter, Sign::positive, 0, {}, 0})), x = symbol("x");
  const ExactZero free = exact_zero(sqrt(m) * sqrt(x) - sqrt(m * x));
  CHECK(free.answer == ExactAnswer::zero);
  CHECK(free.assumptions.empty());

  const ExactZero conic = exact_zero(parse("sqrt(1 - x)*sqrt(1 + x) - sqrt(1 - x^2)"));
  CHECK(conic.answer == ExactAnswer::zero);
  for (const Assumption& a : conic.assumptions) {
    const std::string f = text(a.expression);
    CHECK((f == "1 - x" || f == "1 + x"));  // a sign choice that some real x satisfies
  }
}

TEST_CASE("canonical forms") {
  CHECK(canonical_text("(x^2 - y^2)/(x - y)") == "x + y");
  CHECK(canonical_text("sqrt(1 - cos(x)^2)") == "abs(sin(x))");
  CHECK(canonical_text("sin(x/2)*cos(x/2)") == "sin(x)/2");
  CHECK(canonical_text("sin(x/2)/cos(x/2)") == "sin(x)/(1 + cos(x))");
  CHECK(canonical_text("sqrt(1 + x^2)/(1 + x^2)") == "1/sqrt(1 + x^2)");
  CHECK(canonical_text("sqrt(8)") == "2*sqrt(2)");
  CHECK(canonical_text("exp(x)*exp(-2*x)") == "exp(-x)");
  CHECK(canonical_text("x^(4/3)") == text(parse("x^(4/3)")));
}

TEST_CASE("rotation entries move on SO(3), directions on the sphere") {
  std::vector<Expr> B, gamma;
  for (int k = 0; k < 9; ++k)
    B.emplace_back(Symbol::make("B" + std::to_string(k), {Role::rotation, Sign::any, k, "B", k}));
  for (int k = 0; k < 3; ++k)
    gamma.emplace_back(Symbol::make("g" + std::to_string(k), {Role::direction, Sign::any, k, "gamma", k}));
  const auto at = [&](int i, int j) { return B[3 * i + j]; };
  const auto row_product = [&](int i, int j) {
    return at(i, 0) * at(j, 0) + at(i, 1) * at(j, 1) + at(i, 2) * at(j, 2);
  };
  CHECK(exact_zero(row_product(0, 0) - 1).answer == ExactAnswer::zero);
  CHECK(exact_zero(row_product(0, 1)).answer == ExactAnswer::zero);
  CHECK(exact_zero(row_product(1, 1) - 2).answer == ExactAnswer::nonzero);
  // det B = +1: the third row is the cross product of the first two.
  CHECK(exact_zero(at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0) - at(2, 2)).answer == ExactAnswer::zero);
  const Expr norm2 = pow(gamma[0], 2) + pow(gamma[1], 2) + pow(gamma[2], 2);
  CHECK(exact_zero(norm2 - 1).answer == ExactAnswer::zero);
  CHECK(exact_zero(norm2 - gamma[0]).answer == ExactAnswer::nonzero);
  CHECK(canonical(norm2) == Expr(1));
}

TEST_CASE("a budget ends the work with an answer, not with a hang") {
  const Expr e =
      pow(parse("a + b + c + d + f + g + h + k"), 60) - pow(parse("a + b + c + d + f + g + h - k"), 60);
  const Budget budget({.time = std::chrono::seconds(5), .terms = 2000});
  const ExactZero z = exact_zero(e);
  CHECK(z.answer == ExactAnswer::unknown);
  CHECK(z.obstacle == "the limit on the size of exact polynomials was reached");
  CHECK(canonical(e) == e);

  const Expr square = parse("(x + 1)^2 - x^2 - 2*x - 1");
  std::stop_source stop;
  stop.request_stop();
  const Budget cancelled({.cancel = stop.get_token()});
  CHECK(exact_zero(square).answer == ExactAnswer::unknown);
}

TEST_CASE("a limit on work ends at the same point every time") {
  const Expr e = pow(parse("a + b + c + d"), 12) - pow(parse("a + b - c - d"), 12);
  const auto answer_with = [&](std::size_t units) {
    const Budget limit({.work = units});
    return exact_zero(e).answer;
  };
  CHECK(answer_with(1000) == ExactAnswer::unknown);
  CHECK(answer_with(100'000'000) == ExactAnswer::nonzero);
  CHECK(exact_zero(e).answer == ExactAnswer::nonzero);  // the limit is gone with its object
}

TEST_CASE("relations: normal forms, conjugates and zero divisors") {
  // Generators s, c, r with s² = 1 − c² and r² = s².
  const auto ring = Ring::make(3, [](Ring& R) {
    const Polynomial c = Polynomial::generator(R, 2), one(R, 1);
    R.relate({1, one - c * c, 2, 1});
    R.relate({0, one - c * c});
  });
  const Element r(Polynomial::generator(*ring, 0)), s(Polynomial::generator(*ring, 1)),
      c(Polynomial::generator(*ring, 2));
  const Element one(*ring, 1);
  CHECK(s * s + c * c == one);
  CHECK(one / (one + s) == (one - s) / (c * c));
  CHECK((one / s).denominator().degree(1) == 0);
  CHECK_THROWS_AS(one / (r - s), NoExactForm);  // (r − s)(r + s) = 0
  CHECK_THROWS_AS(one / (s - s), NoExactForm);
  CHECK(norm((r - s).numerator()).is_zero());
  CHECK_FALSE(norm((r + s + one).numerator()).is_zero());
}

TEST_CASE("a rotation on which nothing depends is taken as the unit, and no other") {
  Matrix B(3, 3);
  for (int k = 0; k < 9; ++k)
    B[k] = Symbol::make("B" + std::to_string(10 * (k / 3 + 1) + k % 3 + 1),
                        {Role::rotation, Sign::any, 0, "B", k});
  const Matrix v{{symbol("a")}, {symbol("b")}, {symbol("c")}}, turned = B * v;
  const auto square = [](const Matrix& m) { return (transpose(m) * m)[0]; };
  CHECK(without_idle_rotations(square(turned)) == square(v));
  CHECK(without_idle_rotations(turned[0]) == turned[0]);
  const Expr about_e3 = pow(turned[2], 2) * square(turned);  // idle under turns about e3 only
  CHECK(without_idle_rotations(about_e3) == about_e3);
  const Expr no_value_at_unit = square(turned) + B(0, 1) / B(0, 1) - 1;
  CHECK(vanishes_at_random_points(without_idle_rotations(no_value_at_unit) - square(v)));
}

TEST_CASE("a radicand that was met before has the same root, and is left together again") {
  Scope scope(Scope::Unknown::becomes_a_symbol);
  const Expr apart = parse("sqrt(4*u^2*(1 + v^2))", scope), together = parse("sqrt((1 - w)*(1 + w))", scope);
  for (const Expr e : {together, apart, together + 1, apart + 1}) {
    const Generators first(std::span(&e, 1), {}), again(std::span(&e, 1), {});
    CHECK(first.forms()[0] == again.forms()[0]);
    const bool has_both = e == together || e == together + 1;
    CHECK(first.left_together() == has_both);
    CHECK(again.left_together() == has_both);
  }
  // Where signs are assumed, each is taken apart, whatever was remembered.
  GeneratorChoice assumed;
  assumed.splitting = RootSplitting::assumed;
  const Generators split(std::span(&together, 1), assumed);
  CHECK_FALSE(split.left_together());
  CHECK(split.assumptions().size() > 0);
}
