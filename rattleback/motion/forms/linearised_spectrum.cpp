// Declared in motion/forms/linearisation.hpp. State matrix and eigenvalues of linearised equations.
#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/motion/forms/linearisation.hpp>

namespace rattleback {

Matrix state_matrix(const Linearisation& small) {
  const int k = small.N.rows(), r = small.M.rows();
  const auto solved = unique_solution(small.M, beside(-small.K, -small.C));
  if (!solved)
    throw Degenerate("degenerate-energy", "the Lagrangian is not regular on the constraint at this state",
                     "the metric on the admissible velocities is singular there", "choose another state");
  Matrix A(k + r, k + r);
  for (int j = 0; j < k + r; ++j) {
    for (int i = 0; i < k; ++i) A(i, j) = j < k ? small.N(i, j) : small.J(i, j - k);
    for (int i = 0; i < r; ++i) A(k + i, j) = solved->x(i, j);
  }
  return A;
}

Matrix state_matrix_with(const Linearisation& small, const std::vector<Symbol>& some) {
  const Matrix A = state_matrix(small);
  const int n = A.rows(), k = small.N.rows();
  std::vector<int> rows;
  for (const Symbol q : some)
    rows.push_back(static_cast<int>(std::find(small.idle.begin(), small.idle.end(), q) - small.idle.begin()));
  const int more = static_cast<int>(rows.size());
  Matrix all(n + more, n + more);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) all(i, j) = A(i, j);
  }
  for (int i = 0; i < more; ++i) {
    const int row = rows[static_cast<std::size_t>(i)];
    for (int j = 0; j < k; ++j) all(n + i, j) = small.idle_N(row, j);
    for (int j = k; j < n; ++j) all(n + i, j) = small.idle_J(row, j - k);
    for (int j = 0; j < more; ++j)
      all(n + i, n + j) = small.idle_N(row, k + rows[static_cast<std::size_t>(j)]);
  }
  return all;
}

namespace {

Eigen::MatrixXd numbers(const Matrix& a, const Numbers& at) {
  Eigen::MatrixXd values(a.rows(), a.columns());
  const std::vector<double> entries = evaluate(a.entries(), at);
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j < a.columns(); ++j)
      values(i, j) = entries[static_cast<std::size_t>(i) * static_cast<std::size_t>(a.columns()) +
                             static_cast<std::size_t>(j)];
  }
  return values;
}

}  // namespace

std::vector<std::complex<double>> spectrum(const Linearisation& small, const Numbers& at) {
  const auto k = small.N.rows(), r = small.M.rows();
  Eigen::MatrixXd A(k + r, k + r);
  A.topLeftCorner(k, k) = numbers(small.N, at);
  A.topRightCorner(k, r) = numbers(small.J, at);
  if (r > 0) {
    const Eigen::MatrixXd M = numbers(small.M, at);
    if (!dense::is_invertible(M))
      throw Degenerate("degenerate-energy", "the Lagrangian is not regular on the constraint at this state",
                       "the metric on the admissible velocities is singular there", "choose another state");
    if (k > 0) A.bottomLeftCorner(r, k) = -dense::solve_columns_fully_pivoted(M, numbers(small.K, at));
    A.bottomRightCorner(r, r) = -dense::solve_columns_fully_pivoted(M, numbers(small.C, at));
  }
  if (k + r == 0) return {};
  const Eigen::VectorXcd found = dense::eigenvalues(A);
  std::vector<std::complex<double>> values(found.data(), found.data() + found.size());
  std::sort(values.begin(), values.end(),
            [](auto a, auto b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); });
  return values;
}

}  // namespace rattleback
