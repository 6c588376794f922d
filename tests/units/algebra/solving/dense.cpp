#include <rattleback/algebra/solving/dense.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

/// Entries that look arbitrary, of order 1.
Mat arbitrary(int rows, int columns) {
  Mat m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = std::sin(1.7 * i * i + 2.3 * j + 0.4 * i * j + 0.9);
  return m;
}

/// Rank 2, four rows and five columns.
Mat of_rank_two() { return arbitrary(4, 2) * arbitrary(2, 5); }

double largest(const Mat& m) { return m.size() == 0 ? 0 : m.cwiseAbs().maxCoeff(); }

bool is_identity(const Mat& m) { return largest(m - Mat::Identity(m.rows(), m.cols())) < 1e-12; }

}  // namespace

TEST_CASE("dense: solutions satisfy their equations") {
  const Mat A = arbitrary(4, 4), B = arbitrary(4, 3);
  const Vec b = B.col(1);
  CHECK(largest(A * dense::solve(A, b) - b) < 1e-12);
  CHECK(largest(A.transpose() * dense::solve_transposed(A, b) - b) < 1e-12);
  CHECK(largest(A * dense::solve_columns(A, B) - B) < 1e-12);
  CHECK(largest(A * dense::solve_fully_pivoted(A, b) - b) < 1e-12);
  CHECK(largest(A * dense::solve_columns_fully_pivoted(A, B) - B) < 1e-12);
  CHECK(is_identity(A * dense::inverse(A)));
  CHECK(is_identity(A * dense::inverse_fully_pivoted(A)));
  dense::LuFactors factors;
  factors.compute(A);
  const dense::LuFactors moved = std::move(factors);
  CHECK(largest(A * moved.solve(b) - b) < 1e-12);
}

TEST_CASE("dense: determinants, ranks and kernels") {
  const Mat A = arbitrary(4, 4), low = of_rank_two();
  CHECK(dense::determinant(Vec::LinSpaced(4, 1, 4).asDiagonal()) == doctest::Approx(24));
  CHECK(dense::determinant(A * A) == doctest::Approx(std::pow(dense::determinant(A), 2)));
  CHECK(dense::is_invertible(A));
  CHECK_FALSE(dense::is_invertible(low.leftCols(4)));
  CHECK(dense::rank(low) == 2);
  CHECK(dense::rank(Mat::Identity(3, 3) * 1e-9 + Mat::Ones(3, 3), 1e-6) == 1);
  CHECK(dense::rank_by_qr(low, 1e-9) == 2);
  CHECK(dense::rank_by_singular_values(low, 1e-9) == 2);
  const Mat kernel = dense::kernel(low);
  CHECK(kernel.cols() == 3);
  CHECK(dense::rank(kernel) == 3);
  CHECK(largest(low * kernel) < 1e-12);
}

TEST_CASE("dense: of all best solutions the shortest") {
  const Mat low = of_rank_two(), tall = arbitrary(6, 3);
  const Vec b = arbitrary(4, 1), c = arbitrary(6, 1);
  const auto [x, rank] = dense::least_norm(low, b);
  CHECK(rank == 2);
  CHECK(largest(low.transpose() * (low * x - b)) < 1e-12);     // best
  CHECK(largest(dense::kernel(low).transpose() * x) < 1e-12);  // shortest
  CHECK(largest(dense::least_norm_columns(low, b) - x) < 1e-12);
  CHECK(largest(tall.transpose() * (tall * dense::least_squares(tall, c) - c)) < 1e-12);
  CHECK(dense::least_norm(Mat::Identity(2, 2), Vec::Ones(2), 2.0).rank == 0);
}

TEST_CASE("dense: symmetric matrices") {
  const Mat A = arbitrary(4, 4), S = A.transpose() * A;
  const Vec b = arbitrary(4, 1);
  CHECK(largest(S * dense::solve_symmetric(S, b) - b) < 1e-9);
  const auto L = dense::cholesky_factor(S);
  REQUIRE(L);
  CHECK(largest(*L * L->transpose() - S) < 1e-12);
  CHECK(largest(*L * dense::solve_lower(*L, A) - A) < 1e-9);
  CHECK(largest(L->transpose() * dense::solve_transposed_lower(*L, b) - b) < 1e-9);
  CHECK_FALSE(dense::cholesky_factor(-S));
  const Vec values = dense::symmetric_eigenvalues(S), sigma = dense::singular_values(A);
  CHECK(largest(values.reverse().cwiseSqrt() - sigma) < 1e-7);
}

TEST_CASE("dense: singular vectors and eigenvectors") {
  const Mat low = of_rank_two();
  const auto [values, U] = dense::left_singular_vectors(low);
  const auto [same, V] = dense::right_singular_basis(low);
  CHECK(std::is_sorted(values.begin(), values.end(), std::greater<>()));
  CHECK(values[2] < 1e-12);
  CHECK(is_identity(U.transpose() * U));
  CHECK(V.cols() == 5);
  CHECK(is_identity(V.transpose() * V));
  CHECK(is_identity(dense::left_singular_basis(arbitrary(5, 2)).vectors.transpose() *
                    dense::left_singular_basis(arbitrary(5, 2)).vectors));
  CHECK(largest(low * V.rightCols(3)) < 1e-12);
  const Mat A = arbitrary(4, 4);
  const auto [lambda, vectors] = dense::eigenpairs(A);
  CHECK((A * vectors - vectors * lambda.asDiagonal()).cwiseAbs().maxCoeff() < 1e-12);
  CHECK(std::abs(dense::eigenvalues(A).sum() - A.trace()) < 1e-12);
}

}  // namespace rattleback
