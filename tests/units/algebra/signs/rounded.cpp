#include <rattleback/algebra/signs/rounded.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include <rattleback/algebra/expression/parse.hpp>

using namespace rattleback;

namespace {

const std::vector<const char*> formulas{
    "x + y/3 - 1/7",
    "sin(x)*cos(y) + tan(x*y)/5",
    "sqrt(1 + x^2)/(y^3 - 2)",
    "exp(x - y)*log(2 + x^2) - cot(1 + y^2)",
    "(x + 1)^7 - x^7 - 7*x^6 - 21*x^5 - 35*x^4 - 35*x^3 - 21*x^2 - 7*x - 1",
    "sqrt(x^2 + 10^20) - 10^10",
    "pi*x - 22/7*x",
    "1/(x^2 - 2*x*y + y^2 - (x - y)^2 + 10^(-6))"};

/// How far the value is off, measured by a ball of many bits, over the error that it admits.
double worst(double scale) {
  double most = 0;
  for (const char* formula : formulas) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const Expr e = parse(formula);
      const BallPoint point(seed);
      const auto exact = evaluate_ball(e, point, 256);
      const Rounded r = evaluate_rounded(e, point);
      if (!exact || !std::isfinite(r.error)) continue;
      const double off = std::abs(exact->midpoint() - r.value);
      if (off > 0) most = std::max(most, off / (scale * r.error));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("doubles with errors contain the value, also where almost everything cancels") {
  CHECK(worst(1) <= 1);
  CHECK(worst(1e-4) > 1);  // errors that are claimed to be much smaller are found out
}

TEST_CASE("what is not 0 is seen, what is 0 never") {
  const BallPoint point(3);
  CHECK(evaluate_rounded(parse("sqrt(2 + x^2) - x"), point).is_nonzero());
  CHECK_FALSE(evaluate_rounded(parse("sqrt(x^4) - x^2"), point).is_nonzero());
  CHECK_FALSE(evaluate_rounded(parse("sin(x)^2 + cos(x)^2 - 1"), point).is_nonzero());
  CHECK_FALSE(evaluate_rounded(parse("sqrt(-1 - x^2)"), point).is_nonzero());
  CHECK_FALSE(evaluate_rounded(parse("1/(x - x*(1 + y) + x*y)"), point).is_nonzero());
}
