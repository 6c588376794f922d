// The exact field: canonical forms decide equality, and elements obey the laws of a field. Every law comes with a
// mutant it must reject.
#include <rattleback/algebra/fields/exact.hpp>

#include <random>

#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/exact_element.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>

using namespace rattleback;

namespace {

/// Random rational-trigonometric expressions in a few symbols, with roots and exponentials on demand.
class RandomExpressions {
 public:
  RandomExpressions(unsigned seed, bool roots) : random_(seed), roots_(roots) {}

  int below(int n) { return std::uniform_int_distribution(0, n - 1)(random_); }

  Expr atom() {
    switch (below(6)) {
      case 0: return Expr(Rational(1 + below(5), 1 + below(3)));
      case 1: return symbol("x");
      case 2: return symbol("y");
      case 3: return cos(angle());
      case 4: return sin(angle());
      default: return roots_ ? root() : symbol("z");
    }
  }

  Expr operator()(int depth) {
    if (depth == 0) return atom();
    const Expr a = (*this)(depth - 1), b = (*this)(depth - 1);
    switch (below(4)) {
      case 0: return a + b;
      case 1: return a - b;
      case 2: return a * b;
      default: return a / (2 + pow(b, 2));
    }
  }

 private:
  Expr angle() {
    const Expr theta = symbol("theta"), phi = symbol("phi");
    switch (below(4)) {
      case 0: return theta;
      case 1: return phi;
      case 2: return theta + phi;
      default: return 2 * theta;
    }
  }
  Expr root() { return below(2) == 0 ? sqrt(1 + pow(symbol("x"), 2)) : exp(symbol("y") / 2); }

  std::mt19937 random_;
  bool roots_;
};

/// The same function written differently: every step is an identity.
Expr rewritten(Expr e, RandomExpressions& random) {
  const Expr theta = symbol("theta"), x = symbol("x");
  const Expr one = pow(cos(theta), 2) + pow(sin(theta), 2), other = random(1);
  Expr f = e * one;
  f = (f * (3 + pow(other, 2)) + other) / (3 + pow(other, 2)) - other / (3 + pow(other, 2));
  return (f * (1 + pow(x, 2)) - f) / pow(x, 2);
}

}  // namespace

TEST_CASE("canonical forms are equal iff the functions are") {
  for (const bool roots : {false, true}) {
    RandomExpressions random(roots ? 7 : 5, roots);
    for (int i = 0; i < 25; ++i) {
      const Expr e = random(2), f = rewritten(e, random);
      CAPTURE(text(e));
      CHECK(canonical(e) == canonical(f));
      CHECK(exact_zero(e - f).answer == ExactAnswer::zero);
      const Expr mutant = f + Rational(1, 1000) * cos(symbol("phi"));
      CHECK(canonical(e) != canonical(mutant));
      CHECK(exact_zero(e - mutant).answer == ExactAnswer::nonzero);
    }
  }
}

TEST_CASE("canonical is idempotent and keeps the value") {
  RandomExpressions random(11, true);
  const Numbers at{{Symbol::make("x"), 0.7},
                   {Symbol::make("y"), -0.4},
                   {Symbol::make("z"), 1.3},
                   {Symbol::make("theta"), 0.9},
                   {Symbol::make("phi"), 2.1}};
  for (int i = 0; i < 60; ++i) {
    const Expr e = random(2), c = canonical(e);
    CAPTURE(text(e));
    CHECK(canonical(c) == c);
    CHECK(evaluate(c, at) == doctest::Approx(evaluate(e, at)).epsilon(1e-9));
    CHECK(evaluate(c + 1, at) != doctest::Approx(evaluate(e, at)).epsilon(1e-9));  // the mutant
  }
}

TEST_CASE("elements obey the laws of a field") {
  // Q(c, x)[s, r] with s² = 1 − c², r² = 1 + x².
  const auto ring = Ring::make(4, [](Ring& R) {
    const Polynomial c = Polynomial::generator(R, 2), x = Polynomial::generator(R, 3), one(R, 1);
    R.relate({1, one - c * c, 2, 1});
    R.relate({0, one + x * x});
  });
  std::mt19937 random(3);
  const auto small = [&] { return std::uniform_int_distribution(-2, 2)(random); };
  const auto polynomial = [&] {
    Polynomial p(*ring, 1);
    for (int i = 0; i < 3; ++i) {
      const std::vector<ulong> e{static_cast<ulong>(small() & 1), static_cast<ulong>(small() & 1),
                                 static_cast<ulong>(small() & 1), static_cast<ulong>(small() & 1)};
      p.add_term(Rational(small()), e);
    }
    p.collect();
    return p;
  };
  const auto element = [&] {
    Polynomial d = polynomial();
    while (norm(d).is_zero()) d = polynomial();
    return Element(polynomial(), d);
  };
  const Element zero(*ring, 0), one(*ring, 1), mutant(*ring, Rational(1, 7));
  for (int i = 0; i < 30; ++i) {
    const Element a = element(), b = element(), c = element();
    CHECK(a + b == b + a);
    CHECK((a + b) + c == a + (b + c));
    CHECK((a * b) * c == a * (b * c));
    CHECK(a * (b + c) == a * b + a * c);
    CHECK(a - a == zero);
    if (!a.is_zero()) {
      CHECK(a * (one / a) == one);
      CHECK((b / a) * a == b);
      CHECK_FALSE(((b + mutant) / a) * a == b);
    }
    CHECK_FALSE(a * (b + c + mutant) == a * b + a * c + (a.is_zero() ? one : zero));
  }
}
