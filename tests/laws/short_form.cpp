// A short form is always equal to what it abbreviates, is its own short form, and never longer.
#include <random>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/printed_cost.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

using namespace rattleback;

namespace {

/// Sums of products as derivations make them: parameters, velocities, cosines, sines, a root, an exponential.
class RandomDerivations {
 public:
  explicit RandomDerivations(unsigned seed) : random_(seed) {}

  Expr operator()() {
    const Expr above = sum({term(), term(), term()}), below = sum({term(), term(), Expr(3)});
    return below.is_zero() ? above : above / pow(below, 2) * term() + term();
  }

 private:
  int below(int n) { return std::uniform_int_distribution(0, n - 1)(random_); }
  Expr term() {
    Expr t(Rational(1 + below(4), 1 + below(2)));
    for (int i = 0; i < 3; ++i) t = t * factor();
    return below(2) == 0 ? t : -t;
  }
  Expr factor() {
    const Expr theta = symbol("theta"), phi = symbol("phi"), x = symbol("x");
    switch (below(10)) {
      case 0: return symbol("m");
      case 1: return x;
      case 2: return symbol("x'");
      case 3: return cos(theta);
      case 4: return sin(theta);
      case 5: return cos(theta + phi);
      case 6: return sin(phi);
      case 7: return sqrt(1 + pow(x, 2));
      case 8: return exp(x / 2);
      default: return Expr(1);
    }
  }
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("a short form equals the expression, is not longer, and is its own short form") {
  RandomDerivations random(23);
  const Numbers at{{Symbol::make("x"), 0.37},
                   {Symbol::make("m"), 1.9},
                   {Symbol::make("x'"), -0.8},
                   {Symbol::make("theta"), 0.61},
                   {Symbol::make("phi"), 1.7}};
  for (int i = 0; i < 25; ++i) {
    const Expr e = random(), f = short_form(e);
    CAPTURE(text(e));
    CAPTURE(text(f));
    CHECK(vanishes_at_random_points(e - f));
    CHECK(evaluate(f, at) == doctest::Approx(evaluate(e, at)).epsilon(1e-9));
    PrintedCost cost;
    CHECK(cost(f) <= cost(e));
    CHECK(short_form(f) == f);
    const Expr mutant = f + Rational(1, 100) * symbol("m");
    CHECK_FALSE(vanishes_at_random_points(e - mutant));
    CHECK(evaluate(mutant, at) != doctest::Approx(evaluate(e, at)).epsilon(1e-9));
  }
}
