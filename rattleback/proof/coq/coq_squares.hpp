#pragma once
/// Rational witnesses of stability for the Coq kernel: sums of squares (LDLᵀ), and quadratic forms that fall or grow along x' = A x.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// κ 1 + Σ d_k l_k l_kᵀ with d_k ≥ 0, the l_k being rows.
struct CoqSquares {
  Rational kappa;
  std::vector<Rational> d;
  Matrix rows;
};
/// H as such a sum with the κ given; nothing when H − κ is not positive semidefinite.
std::optional<CoqSquares> sum_of_squares(const Matrix& H, const Rational& kappa);
/// The same with some κ > 0; nothing when H is not positive definite.
std::optional<CoqSquares> definite_squares(const Matrix& H);

/// AᵀP + PA − 2aP.
Matrix lyapunov_form(const Matrix& A, const Matrix& P, const Rational& a);

/// P > 0 with AᵀP + PA ≤ 0: no solution of x' = A x leaves a ball.
struct CoqFallingForm {
  Matrix P;
  CoqSquares definite, falls;
};
/// `centre` is a polynomial c(A), as a matrix, that vanishes on the eigenvectors of the imaginary axis. With R = c(A)ᵀc(A) and
///     L(P) = AᵀP + PA,   L(P_1) = −R,   P_0 = 1 − L(Q), L(L(Q)) = L(1),
/// P_0 is the mean of e^{Aᵀt}e^{At} over all times where all eigenvalues are on the axis, and P = P_1 + c P_0.
std::optional<CoqFallingForm> falling_form(const Matrix& A, const Matrix& centre);

/// AᵀP + PA − 2aP ≥ 0 with a > 0 and yᵀPy > 0: the solution through y grows beyond all bounds.
struct CoqGrowingForm {
  Matrix P, y;
  Rational a;
  CoqSquares grows;
};
std::optional<CoqGrowingForm> growing_form(const Matrix& A);

}  // namespace rattleback
