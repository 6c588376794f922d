#include <rattleback/proof/coq/coq_squares.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>

namespace rattleback {
namespace {

constexpr int quarterings = search_limits::rational_counterexample.count;  // of a bound that starts at 1

/// The symmetric matrix with the entries u of its upper half, row by row; how many there are.
Matrix symmetric(const Matrix& u, int n) {
  Matrix P(n, n);
  int k = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) P(i, j) = P(j, i) = u[k++];
  }
  return P;
}
int half(int n) { return n * (n + 1) / 2; }
Matrix upper(const Matrix& P) {
  Matrix u(half(P.rows()), 1);
  int k = 0;
  for (int i = 0; i < P.rows(); ++i) {
    for (int j = i; j < P.rows(); ++j) u[k++] = P(i, j);
  }
  return u;
}

/// The matrix of P ↦ AᵀP + PA − 2aP on upper halves.
Matrix lyapunov_operator(const Matrix& A, const Rational& a) {
  const int n = A.rows(), m = half(n);
  Matrix all(m, m);
  for (int k = 0; k < m; ++k) {
    Matrix e(m, 1);
    e[k] = Expr(1);
    const Matrix image = upper(lyapunov_form(A, symmetric(e, n), a));
    for (int r = 0; r < m; ++r) all(r, k) = image[r];
  }
  return all;
}

Expr form_at(const Matrix& P, const Matrix& y) { return (transpose(y) * P * y)(0, 0); }

/// A vector at which the form is positive, among e_i and e_i ± e_j.
std::optional<Matrix> positive_vector(const Matrix& P) {
  const int n = P.rows();
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      for (const int sign : {1, -1}) {
        Matrix y(n, 1);
        y[i] = Expr(1);
        if (j != i) y[j] = Expr(sign);
        if (form_at(P, y).value().sign() > 0) return y;
      }
    }
  }
  return std::nullopt;
}

bool vanishes(const Matrix& m) {
  return std::ranges::all_of(m.entries(), [](Expr e) { return e.is_zero(); });
}

}  // namespace

std::optional<CoqSquares> sum_of_squares(const Matrix& H, const Rational& kappa) {
  const int n = H.rows();
  Matrix rest = H - Expr(kappa) * Matrix::identity(n);
  std::vector<Rational> d;
  std::vector<Matrix> rows;
  for (int k = 0; k < n; ++k) {
    const Rational pivot = rest(k, k).value();
    const Matrix row = rest.row(k);
    if (pivot.sign() < 0 || (pivot.is_zero() && !vanishes(row))) return std::nullopt;
    if (pivot.is_zero()) continue;
    rows.push_back(Expr(Rational(1) / pivot) * row);
    d.push_back(pivot);
    rest = rest - Expr(pivot) * (transpose(rows.back()) * rows.back());
  }
  Matrix all(static_cast<int>(rows.size()), n);
  for (int k = 0; k < all.rows(); ++k) {
    for (int j = 0; j < n; ++j) all(k, j) = rows[static_cast<std::size_t>(k)](0, j);
  }
  return CoqSquares{kappa, d, all};
}

std::optional<CoqSquares> definite_squares(const Matrix& H) {
  Rational kappa(1);
  for (int tries = 0; tries < quarterings; ++tries) {
    if (auto found = sum_of_squares(H, kappa)) return found;
    kappa = kappa / Rational(4);
  }
  return std::nullopt;
}

Matrix lyapunov_form(const Matrix& A, const Matrix& P, const Rational& a) {
  return transpose(A) * P + P * A - Expr(a + a) * P;
}

std::optional<CoqFallingForm> falling_form(const Matrix& A, const Matrix& centre) {
  const int n = A.rows();
  const Matrix L = lyapunov_operator(A, Rational(0)), one = upper(Matrix::identity(n));
  const auto falling = solve(L, upper(-(transpose(centre) * centre)));
  const auto averaged = solve(L * L, L * one);
  if (!falling || !averaged) return std::nullopt;
  const Matrix P1 = symmetric(falling->x, n), P0 = symmetric(one - L * averaged->x, n);
  for (const Rational& c : {Rational(1), Rational(16), Rational(256), Rational(1, 16)}) {
    const Matrix P = P1 + Expr(c) * P0;
    auto definite = definite_squares(P);
    auto falls = sum_of_squares(-lyapunov_form(A, P, Rational(0)), Rational(0));
    if (definite && falls) return CoqFallingForm{P, *definite, *falls};
  }
  return std::nullopt;
}

std::optional<CoqGrowingForm> growing_form(const Matrix& A) {
  const int n = A.rows();
  Rational a(1);
  for (int tries = 0; tries < quarterings; ++tries, a = a / Rational(4)) {
    const auto solved = unique_solution(lyapunov_operator(A, a), upper(Matrix::identity(n)));
    if (!solved) continue;
    const Matrix P = symmetric(solved->x, n);
    const auto y = positive_vector(P);
    auto grows = sum_of_squares(lyapunov_form(A, P, a), Rational(0));
    if (y && grows) return CoqGrowingForm{P, *y, a, *grows};
  }
  return std::nullopt;
}

}  // namespace rattleback
