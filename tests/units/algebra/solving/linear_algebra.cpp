#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/definiteness.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

using namespace rattleback;

namespace {

/// A matrix in the model language; r, m, J, I are positive.
Matrix matrix(const char* text) {
  Scope scope(Scope::Unknown::becomes_a_symbol);
  for (const char* name : {"r", "m", "J", "I"})
    scope.define(name, Expr(Symbol::make(name, {.sign = Sign::positive})));
  return std::get<Matrix>(parse_value(text, scope));
}

}  // namespace

TEST_CASE("the kernel of the sleigh's constraint is the regular frame people write") {
  const Kernel k = kernel(matrix("[[-sin(th), cos(th), 0]]"));
  CHECK(k.basis == matrix("[[cos(th), 0], [sin(th), 0], [0, 1]]"));
}

TEST_CASE("the snakeboard's kernel stays regular at phi = 0, without cot(phi)") {
  const Matrix a = matrix(
      "[[-sin(th + ph), cos(th + ph), r*cos(ph), 0, 0], [-sin(th - ph), cos(th - ph), -r*cos(ph), 0, 0]]");
  const Matrix k = kernel(a).basis;
  CHECK(proved(is_zero((a * k).entries())));
  const SymbolMap straight{{Symbol::make("ph"), Expr(0)}};
  CHECK(rank(substitute(k, straight)) == 3);
  for (const Expr e : substitute(a * k, straight).entries()) CHECK(vanishes_at_random_points(e));
  const RankDrop drop = rank_drop(a);
  REQUIRE(drop.loci.size() == 1);
  REQUIRE(drop.loci[0].size() == 1);
  CHECK(drop.exact);
  CHECK(vanishes_at_random_points(substitute(drop.loci[0][0], {{Symbol::make("ph"), pi() / 2}})));
  CHECK_FALSE(vanishes_at_random_points(drop.loci[0][0]));
}

TEST_CASE("independent constraints are eliminated independently") {
  const Matrix k = kernel(matrix("[[sin(a), -cos(a), 0, 0], [0, 0, sin(b), -cos(b)]]")).basis;
  CHECK(k == matrix("[[cos(a), 0], [sin(a), 0], [0, cos(b)], [0, sin(b)]]"));
}

TEST_CASE("rotations are inverted without assumptions, single pivots notwithstanding") {
  const Solution s = inverse(matrix("[[cos(a), sin(a)], [-sin(a), cos(a)]]"));
  CHECK(s.where.empty());
  CHECK(s.x == matrix("[[cos(a), -sin(a)], [sin(a), cos(a)]]"));
}

TEST_CASE("a determinant that might vanish is an assumption; a positive pivot is not") {
  CHECK(inverse(matrix("[[m, 0], [x, J]]")).where.empty());
  const Solution s = inverse(matrix("[[x, y], [y, 1]]"));
  REQUIRE(s.where.size() == 1);
  CHECK(proved(are_equal(s.where[0].expression, parse("x - y^2"))));
  CHECK(s.where[0].kind == Assumption::Kind::nonzero);
  CHECK_THROWS_AS(inverse(matrix("[[x, x*y], [1, y]]")), Error);
}

TEST_CASE("rank has evidence") {
  CHECK(rank(matrix("[[x, y], [y, x]]")).at_most.exact);
  const Rank deficient = rank(matrix("[[x, x*y], [1, y]]"));
  CHECK(deficient == 1);
  CHECK_FALSE(deficient.at_most.exact);
  CHECK(deficient.at_most.bits > 50);
  CHECK(proved(has_rank(matrix("[[x, x*y], [1, y]]"), 1)));
  CHECK(refuted(has_rank(matrix("[[x, x*y], [1, y]]"), 2)));
  CHECK(rank(matrix("[[cos(a)^2 + sin(a)^2 - 1, 0]]")) == 0);
}

TEST_CASE("the rank drops where all largest minors vanish") {
  CHECK(rank_drop(matrix("[[-sin(th), cos(th), 0]]")).loci.empty());
  CHECK(rank_drop(matrix("[[1, x], [0, m]]")).loci.empty());
  const RankDrop drop = rank_drop(matrix("[[x, y, z]]"));
  REQUIRE(drop.loci.size() == 1);
  CHECK(drop.loci[0].size() == 3);
  const RankDrop common = rank_drop(matrix("[[x*cos(a), x*sin(a)]]"));
  REQUIRE(common.loci.size() == 1);
  REQUIRE(common.loci[0].size() == 1);
  CHECK(proved(is_zero(pow(common.loci[0][0], 2) - parse("x^2"))));
}

TEST_CASE("consistency conditions say when a system has solutions") {
  const auto conditions = consistency_conditions(matrix("[[1, 1], [2, 2]]"), matrix("[[p], [q]]"));
  REQUIRE(conditions.size() == 1);
  CHECK(proved(
      is_zero(pow(conditions[0], 2) - pow(parse("q - 2*p"), 2) * pow(conditions[0] / parse("q - 2*p"), 2))));
  CHECK(vanishes_at_random_points(substitute(conditions[0], {{Symbol::make("q"), parse("2*p")}})));
  CHECK(consistency_conditions(matrix("[[1, 1], [2, 2]]"), matrix("[[p], [2*p]]")).empty());
}

TEST_CASE("the sleigh's metric is positive definite, whatever the angle") {
  const Definiteness d = definiteness(
      matrix("[[m, 0, -m*a*sin(th)], [0, m, m*a*cos(th)], [-m*a*sin(th), m*a*cos(th), J + m*a^2]]"));
  CHECK(d.kind == Definiteness::Kind::positive_definite);
  CHECK(text(d.kind) == "positive definite");
}

TEST_CASE("other signatures") {
  using Kind = Definiteness::Kind;
  CHECK(definiteness(matrix("[[1, 2], [2, 1]]")).kind == Kind::indefinite);
  CHECK(definiteness(matrix("[[-1, 0], [0, -2]]")).kind == Kind::negative_definite);
  const Definiteness semi = definiteness(matrix("[[m, m*x], [m*x, m*x^2]]"));
  CHECK(semi.kind == Kind::positive_semidefinite);
  CHECK(semi.kernel.columns() == 1);
  CHECK(definiteness(matrix("[[1, 0], [0, x^2]]")).kind == Kind::positive_semidefinite);
  const Definiteness depends = definiteness(matrix("[[m, 0], [0, m - J]]"));
  CHECK(depends.kind == Kind::varies);
  CHECK(depends.at.has_value());
  CHECK(definiteness(matrix("[[sqrt(2) - 1, 0], [0, 1]]")).kind == Kind::positive_definite);
  const auto minors = leading_principal_minors(matrix("[[2, 1], [1, m]]"));
  CHECK(proved(are_equal(minors[1], Expr(2) * Expr(Symbol::make("m", {.sign = Sign::positive})) - 1)));
}

TEST_CASE("empty matrices are fine") {
  CHECK(rank(Matrix(0, 3)) == 0);
  CHECK(kernel(Matrix(0, 3)).basis == Matrix::identity(3));
  CHECK(kernel(Matrix(3, 0)).basis.columns() == 0);
  CHECK(determinant(Matrix(0, 0)).is_one());
}

TEST_CASE("nothing is assumed about a frame that spans the kernel everywhere") {
  CHECK(kernel(matrix("[[-sin(th), cos(th), 0]]")).where.empty());
  CHECK(kernel(matrix("[[2*sin(th), cos(th)]]")).where.empty());  // cos²θ + 4 sin²θ
  CHECK_FALSE(kernel(matrix("[[sin(th), cos(ph)]]")).where.empty());
  CHECK(kernel(matrix("[[1, 0, -r*cos(ph)], [0, 1, -r*sin(ph)]]")).where.empty());
  // Cramer's rule by sin θ, by cos θ, or by cos²θ + sin²θ = 1.
  CHECK(kernel(matrix("[[x, cos(th), sin(th)], [y, -sin(th), cos(th)]]")).where.empty());
  const Kernel pendulum = kernel(matrix("[[x, y]]"));
  REQUIRE(pendulum.where.size() == 1);
  CHECK(proved(are_equal(pendulum.where[0].expression, parse("x^2 + y^2"))));
}

TEST_CASE("a root that the prime does not have is named, with the way round it") {
  const Expr x = Symbol::make("x");
  const Expr root = sqrt(Expr(97));
  CHECK(rank(Matrix::column(std::vector<Expr>{root * x, x})) == 1);
  CHECK(rank(matrix("[[sqrt(97)*x, x], [x, sqrt(97)*y]]")) == 2);
  CHECK(rank(matrix("[[sqrt(97)*x, 97*x], [y, sqrt(97)*y]]")) == 1);
  CHECK(independent_columns(matrix("[[0, sqrt(97), x], [0, sqrt(97)*y, x*y]]")) == std::vector<int>{1});
  std::string said;
  try {  // 1 + √97 once more: of relations between roots nothing is known here, and real points cannot show that it vanishes
    rank(matrix("[[sqrt(98 + 2*sqrt(97)), 1 + sqrt(97)], [x, x]]"));
  } catch (const Exhausted& limit) {
    said = limit.what();
  }
  CHECK(said.find("sqrt(97) has no value") == 0);
  CHECK(said.find("[parameters]") != std::string::npos);
  CHECK(rank(Matrix::column(std::vector<Expr>{sqrt(Expr(61)) * x, x})) == 1);
}
