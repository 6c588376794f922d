#include <doctest/doctest.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

#include "../random_expr.hpp"

using namespace rattleback;
using rattleback::testing::RandomExpr;

namespace {
constexpr int cases = 200;
const Symbol x = Symbol::make("x"), theta = Symbol::make("theta");
}  // namespace

TEST_CASE("what is written is read back as the same expression") {
  RandomExpr random(1);
  for (int i = 0; i < cases; ++i) {
    const Expr e = random(5, true);
    CAPTURE(text(e));
    CHECK(parse(text(e)) == e);
    CHECK(parse(text(e) + " + 1") != e);  // the mutant
  }
}

TEST_CASE("the derivative is linear and obeys the product rule") {
  RandomExpr random(2);
  for (int i = 0; i < cases / 4; ++i) {
    const Expr a = random(3, true), b = random(3, true);
    for (const Symbol s : {x, theta}) {
      const Expr da = derivative(a, s), db = derivative(b, s);
      CAPTURE(text(a));
      CAPTURE(text(b));
      CHECK(proved(are_equal(derivative(a + 3 * b, s), da + 3 * db)));
      CHECK(proved(are_equal(derivative(a * b, s), da * b + a * db)));
      CHECK(proved(are_equal(derivative(a * b, s) + x, da * b + a * db)) == false);  // the mutant
    }
  }
}

TEST_CASE("partial derivatives commute; forward and reverse sweeps agree") {
  RandomExpr random(3);
  for (int i = 0; i < cases / 4; ++i) {
    const Expr e = random(4, true);
    CAPTURE(text(e));
    CHECK(proved(are_equal(derivative(derivative(e, x), theta), derivative(derivative(e, theta), x))));
    const std::vector<Symbol> all = symbols_of(e);
    const std::vector<Expr> g = gradient(e, all);
    std::vector<Expr> terms{Expr(0)};
    SymbolMap direction;
    for (std::size_t k = 0; k < all.size(); ++k) {
      CHECK(proved(are_equal(g[k], derivative(e, all[k]))));
      const Expr v = symbol("v" + std::to_string(k));
      direction.emplace(all[k], v);
      terms.push_back(v * g[k]);
    }
    CHECK(proved(are_equal(derivative_along(e, direction), sum(terms))));
    if (!all.empty())
      CHECK(refuted(are_equal(derivative_along(e, direction) + symbol("v0"), sum(terms))));  // the mutant
  }
}

TEST_CASE("several directions or replacements at once are each of them alone") {
  RandomExpr random(5);
  for (int i = 0; i < cases / 4; ++i) {
    const std::vector<Expr> es{random(4, true), Expr(x), random(3), Expr(7)};
    const std::vector<SymbolMap> maps{{{x, random(2) + symbol("w")}, {theta, random(2)}},
                                      {{x, Expr(0)}, {theta, Expr(x)}},
                                      {{x, Expr(theta)}, {theta, Expr(1)}}};
    const auto derivatives = derivatives_along(es, maps), replaced = substitutions(es, maps);
    REQUIRE(derivatives.size() == maps.size());
    REQUIRE(replaced.size() == maps.size());
    for (std::size_t k = 0; k < maps.size(); ++k) {
      CHECK(derivatives[k] == derivative_along(es, maps[k]));
      CHECK(replaced[k] == substitute(es, maps[k]));
      CHECK(replaced[k] != substitute(es, maps[(k + 1) % maps.size()]));  // the mutant
    }
    CHECK(replaced[0][1] == maps[0].at(x));
    CHECK(derivatives[0][1] == maps[0].at(x));
  }
  CHECK(substitutions(std::vector{Expr(x)}, {}).empty());
  CHECK(derivatives_along(std::vector{Expr(x)}, {}).empty());
}

TEST_CASE("substitution is a homomorphism and obeys the chain rule") {
  RandomExpr random(4);
  for (int i = 0; i < cases / 4; ++i) {
    const Expr a = random(3), b = random(3), r = random(2);
    const SymbolMap map{{x, r}};
    CAPTURE(text(a));
    CAPTURE(text(r));
    CHECK(proved(are_equal(substitute(a * b, map), substitute(a, map) * substitute(b, map))));
    const Expr chain =
        substitute(derivative(a, x), map) * derivative(r, theta) + substitute(derivative(a, theta), map);
    CHECK(proved(are_equal(derivative(substitute(a, map), theta), chain)));
    CHECK(refuted(are_equal(derivative(substitute(a, map), theta) + 1, chain)));  // the mutant
  }
}
