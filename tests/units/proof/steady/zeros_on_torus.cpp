/// All zeros on a torus, enclosed: none is missed, none is counted twice, and what cannot be enclosed is not claimed.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/proof/evidence/random_newton.hpp>
#include <rattleback/proof/steady/zeros_on_torus.hpp>

using namespace rattleback;

namespace {

const Symbol a = Symbol::make("a", {.role = Role::coordinate}),
             b = Symbol::make("b", {.role = Role::coordinate});

}  // namespace

TEST_CASE("six critical points of cos a + cos b + 3 cos(a - b), with indices that add up to 0") {
  const Expr V = cos(a) + cos(b) + 3 * cos(a - b);
  const auto zeros = zeros_on_torus(gradient(V, std::vector{a, b}), {a, b}, {});
  REQUIRE(zeros);
  CHECK(zeros->size() == 6);
  int sum = 0, minima = 0;
  for (const EnclosedZero& z : *zeros) {
    sum += z.index;
    CHECK(z.radius < 1e-5);
    minima += std::abs(std::cos(z.at[0]) + 1.0 / 6) < 1e-9 ? 1 : 0;
  }
  CHECK(sum == 0);
  CHECK(minima == 2);
  // A mutant: another coefficient has another number of zeros.
  CHECK(zeros_on_torus(gradient(cos(a) + cos(b) + cos(a - b) / 3, std::vector{a, b}), {a, b}, {})->size() ==
        4);
}

TEST_CASE("degenerate zeros and curves of zeros are not claimed to be enclosed") {
  CHECK(!zeros_on_torus(std::vector{pow(sin(a), 3)}, {a}, {}));
  CHECK(!zeros_on_torus(std::vector{sin(a - b), sin(b - a)}, {a, b}, {}, 2000));
  CHECK(zeros_on_torus(std::vector{sin(a)}, {a}, {})->size() == 2);
  CHECK(zeros_on_torus(std::vector{2 + sin(a)}, {a}, {})->empty());
}

TEST_CASE("Newton's method finds zeros, and none where a residual only fades") {
  const Symbol x = Symbol::make("x", {.role = Role::coordinate});
  CHECK(newton_solutions({{pow(Expr(x), 2) - 2}, {x}, {}}).size() == 2);
  CHECK(newton_solutions({{exp(-Expr(x))}, {x}, {}}).empty());
  CHECK(newton_solutions({{pow(Expr(x), 3)}, {x}, {}}).size() == 1);
  CHECK(newton_solutions({{pow(Expr(x), 2) + 1}, {x}, {}}).empty());
}
