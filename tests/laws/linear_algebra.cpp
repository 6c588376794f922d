// Linear algebra over functions on random matrices, each law with a mutant.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/definiteness.hpp>
#include <rattleback/algebra/expression/orthonormal.hpp>
#include <rattleback/algebra/solving/dyad.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/ldlt.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

#include "random_geometry.hpp"

using namespace rattleback;

namespace {

const Space Q({line("x"), circle("phi"), circle("theta")});

Matrix random_matrix(RandomGeometry& random, int rows, int columns) {
  Matrix a(rows, columns);
  for (Expr& e : a.entries())
    e = random.integer(0, 2) == 0 ? Expr(random.integer(-1, 2)) : random.function(Q);
  return a;
}

/// Of rank r at most.
Matrix random_product(RandomGeometry& random, int rows, int r, int columns) {
  return random_matrix(random, rows, r) * random_matrix(random, r, columns);
}

void spoil(Matrix& a) { a(0, 0) = a(0, 0) + sin(Expr(Q.functions()[1])) + 2; }

}  // namespace

TEST_CASE("a·kernel(a) = 0, and rank + nullity = columns") {
  RandomGeometry random(1);
  for (const auto& [rows, r, columns] :
       {std::array{1, 1, 3}, {2, 2, 4}, {3, 2, 4}, {3, 3, 5}, {5, 5, 7}, {6, 5, 6}}) {
    const Matrix a = random_product(random, rows, r, columns);
    const Matrix k = kernel(a).basis;
    const int found = rank(a);
    CHECK(found <= r);
    CHECK(found + k.columns() == columns);
    CHECK(rank(k) == k.columns());
    for (const Expr e : (a * k).entries()) CHECK(vanishes_at_random_points(e));
    Matrix wrong = k;
    for (int j = 0; j < wrong.columns(); ++j) wrong(0, j) = wrong(0, j) + 1;
    bool rejected = false;
    for (const Expr e : (a * wrong).entries()) rejected = rejected || !vanishes_at_random_points(e);
    CHECK(rejected);
    CHECK(left_kernel(a).basis.columns() == rows - found);
  }
}

TEST_CASE("a·solve(a, b) = b, when b lies in the range; otherwise there is no solution") {
  RandomGeometry random(2);
  for (const auto& [rows, r, columns] :
       {std::array{2, 2, 2}, {3, 3, 3}, {4, 4, 4}, {5, 5, 5}, {3, 2, 3}, {4, 2, 6}, {5, 3, 3}}) {
    const Matrix a = random_product(random, rows, r, columns), b = a * random_matrix(random, columns, 2);
    const auto s = solve(a, b);
    REQUIRE(s);
    for (const Expr e : (a * s->x - b).entries()) CHECK(vanishes_at_random_points(e));
    CHECK(consistency_conditions(a, b).empty());
    CHECK(s->homogeneous.columns() == columns - rank(a));
    if (rank(a) == rows) continue;
    Matrix outside = b;
    spoil(outside);
    CHECK(!solve(a, outside));
    CHECK(!consistency_conditions(a, outside).empty());
  }
}

TEST_CASE("what is solved is exact: a x = b as functions") {
  RandomGeometry random(3);
  const Matrix a = random_matrix(random, 3, 3);
  const Matrix x = inverse(a).x;
  CHECK(proved(is_zero((a * x - Matrix::identity(3)).entries())));
  Matrix mutant = x;
  spoil(mutant);
  CHECK(refuted(is_zero((a * mutant - Matrix::identity(3)).entries())));
}

TEST_CASE(
    "det(ab) = det a · det b, also beyond the size of Laplace's expansion; det of a product of low rank is "
    "0") {
  RandomGeometry random(4);
  for (const int n : {2, 3, 4, 5, 6}) {
    const Matrix a = random_matrix(random, n, n), b = random_matrix(random, n, n);
    const Expr product_rule = determinant(a * b) - determinant(a) * determinant(b);
    CHECK(vanishes_at_random_points(product_rule));
    CHECK(!vanishes_at_random_points(product_rule + 1));
    CHECK(vanishes_at_random_points(determinant(random_product(random, n, n - 1, n))));
    Matrix swapped = a;
    for (int j = 0; j < n; ++j) std::swap(swapped(0, j), swapped(1, j));
    CHECK(vanishes_at_random_points(determinant(a) + determinant(swapped)));
  }
}

TEST_CASE("A = P L D Lᵀ Pᵀ, its solution and its determinant") {
  RandomGeometry random(5);
  for (const int n : {1, 2, 3, 5}) {
    const Matrix g = random_matrix(random, n, n), a = transpose(g) * g + Matrix::identity(n);
    const LDLt f = ldlt(a);
    Matrix rebuilt = f.l * Matrix::diagonal(f.d) * transpose(f.l);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) CHECK(vanishes_at_random_points(rebuilt(i, j) - a(f.order[i], f.order[j])));
    }
    const Matrix b = random_matrix(random, n, 1);
    for (const Expr e : (a * solve(f, b) - b).entries()) CHECK(vanishes_at_random_points(e));
    CHECK(vanishes_at_random_points(determinant(f) - determinant(a)));
    Matrix mutant = solve(f, b);
    spoil(mutant);
    CHECK(!vanishes_at_random_points((a * mutant - b)[0]));
  }
  const Matrix deficient = [&] {
    const Matrix g = random_matrix(random, 2, 4);
    return transpose(g) * g;
  }();
  CHECK(ldlt(deficient).d.size() == 2);
  CHECK_THROWS_AS(ldlt(Matrix{{0, 1}, {1, 0}}), Error);
}

TEST_CASE("a constant matrix and a dyad are seen, and inverted with one division") {
  RandomGeometry random(6);
  const auto parameter = [](int k) {
    return Expr(Symbol::make("k" + std::to_string(k), {.role = Role::parameter, .sign = Sign::positive}));
  };
  const Expr s = parameter(0), c = cos(Expr(Q.functions()[1])), x(Q.functions()[0]);
  for (const std::vector<Expr>& f : {std::vector<Expr>{x, c, x * c}, {x, Expr(0), -c, x}, {-x, -c, c, -x}}) {
    const int n = static_cast<int>(f.size());
    Matrix a(n, n), dyad(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        a(i, j) = i == j ? parameter(i + 1) + 3 : Expr(i + j) / 7;
        dyad(i, j) = s * f[static_cast<std::size_t>(i)] * f[static_cast<std::size_t>(j)];
      }
    }
    const auto parts = constant_and_dyad(a + dyad);
    REQUIRE(parts);
    CHECK(parts->constant == a);
    const Matrix b = random_matrix(random, n, 1);
    Matrix found = solve(*parts, b);
    for (const Expr e : ((a + dyad) * found - b).entries()) CHECK(vanishes_at_random_points(e));
    for (const Expr e : (readable_solution(*parts, b) - found).entries()) CHECK(vanishes_at_random_points(e));
    spoil(found);
    CHECK(!vanishes_at_random_points(((a + dyad) * found - b)[0]));

    Matrix opposite = a + dyad;
    opposite(0, n - 1) = opposite(n - 1, 0) = a(0, n - 1) - dyad(0, n - 1);
    CHECK(!constant_and_dyad(opposite));
    CHECK(!constant_and_dyad(a));
    CHECK(!constant_and_dyad(a + dyad + c * Matrix::identity(n)));
  }
}

TEST_CASE("two rows of a rotation matrix know the third") {
  const Space turned({line("x"), special_orthogonal_3("B")});
  const auto B = [&](int i, int j) {
    return Expr(turned.functions()[1 + 3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(j)]);
  };
  const Expr x(turned.functions()[0]);
  for (const bool columns : {false, true}) {
    const auto at = [&](int i, int j) { return columns ? B(j, i) : B(i, j); };
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int third = 0; third < 3; ++third) {
          const int i = (third + 1) % 3, j = (third + 2) % 3;
          const Expr e = 7 * x * at(i, a) * at(i, b) + x + 7 * x * at(j, a) * at(j, b);
          const Expr short_one = with_third_row(e);
          CHECK(short_one == (a == b ? 8 : 1) * x - 7 * x * at(third, a) * at(third, b));
          CHECK(vanishes_at_random_points(e - short_one));
          CHECK(with_third_row(x * (at(i, a) * at(i, b) + at(j, a) * at(j, b))) ==
                (a == b ? x : Expr(0)) - x * at(third, a) * at(third, b));
          const Expr unequal = 7 * x * at(i, a) * at(i, b) + 6 * x * at(j, a) * at(j, b);
          CHECK(with_third_row(unequal) == unequal);
        }
      }
    }
  }
}

TEST_CASE("gᵀ D g has the signs of D") {
  const Expr x(Q.functions()[0]), c = cos(Expr(Q.functions()[1]));
  const auto positive = [](const char* name) { return Expr(Symbol::make(name, {.sign = Sign::positive})); };
  const Expr m = positive("m"), J = positive("J");
  const Matrix g{{1, x, c}, {0, 1, x * c}, {0, 0, 1}};  // unimodular
  const auto kind = [&](Expr a, Expr b, Expr d) {
    return definiteness(transpose(g) * Matrix::diagonal(std::vector{a, b, d}) * g).kind;
  };
  using Kind = Definiteness::Kind;
  CHECK(kind(m, J, m + J) == Kind::positive_definite);
  CHECK(kind(-m, -J, -m * J) == Kind::negative_definite);
  CHECK(kind(m, -J, m) == Kind::indefinite);
  CHECK(kind(m, J, 0) == Kind::positive_semidefinite);
  CHECK(kind(m, J, m - J) == Kind::varies);
  CHECK(definiteness(Matrix{{0, m}, {m, 0}}).kind == Kind::indefinite);
}
