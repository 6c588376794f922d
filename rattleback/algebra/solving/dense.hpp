#pragma once
/// Dense linear algebra in doubles: LU and QR factors, least squares, ranks, kernels, singular values, eigenvalues. These are functions, so
/// that Eigen's decompositions are compiled once: each takes two to six seconds in every source that names it.

#include <memory>
#include <optional>

#include <Eigen/Core>

namespace rattleback::dense {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// P A = L U, rows exchanged.
class LuFactors {
 public:
  LuFactors();
  explicit LuFactors(const Matrix& A);
  LuFactors(LuFactors&&) noexcept;
  LuFactors& operator=(LuFactors&&) noexcept;
  ~LuFactors();

  void compute(const Matrix& A);
  Vector solve(const Vector& b) const;

 private:
  std::unique_ptr<Eigen::PartialPivLU<Matrix>> factors_;
};

/// A⁻¹ b, A⁻ᵀ b, A⁻¹ B, A⁻¹ and det A by LU factors, rows exchanged.
Vector solve(const Matrix& A, const Vector& b);
Vector solve_transposed(const Matrix& A, const Vector& b);
Matrix solve_columns(const Matrix& A, const Matrix& B);
Matrix inverse(const Matrix& A);
double determinant(const Matrix& A);

/// The same with rows and columns exchanged. Pivots that are smaller than the threshold times the largest count as zero; without one,
/// those of the size of rounding.
bool is_invertible(const Matrix& A);
Vector solve_fully_pivoted(const Matrix& A, const Vector& b);
Matrix solve_columns_fully_pivoted(const Matrix& A, const Matrix& B);
Matrix inverse_fully_pivoted(const Matrix& A);
int rank(const Matrix& A, std::optional<double> threshold = {});
/// Columns span {v : A v = 0}; one column of zeros where that is 0.
Matrix kernel(const Matrix& A, std::optional<double> threshold = {});

/// x minimises |A x − b|, and is the shortest that does: complete orthogonal decomposition.
struct LeastNorm {
  Vector x;
  int rank = 0;
};
LeastNorm least_norm(const Matrix& A, const Vector& b, std::optional<double> threshold = {});
Matrix least_norm_columns(const Matrix& A, const Matrix& B);

/// x minimises |A x − b|; the rank of A: Householder's QR with columns exchanged.
Vector least_squares(const Matrix& A, const Vector& b);
/// The same for one A after another: it keeps its memory.
class LeastSquares {
 public:
  LeastSquares();
  ~LeastSquares();
  Vector operator()(Eigen::Map<const Matrix> A, Eigen::Map<const Vector> b);

 private:
  std::unique_ptr<Eigen::ColPivHouseholderQR<Matrix>> factors_;
};
int rank_by_qr(const Matrix& A, double threshold);

/// A = Q R, as many columns in Q as in A: Householder's QR. And R⁻¹ B.
struct OrthogonalFactors {
  Matrix q, r;
};
OrthogonalFactors orthogonal_factors(const Matrix& A);
Matrix solve_upper(const Matrix& R, const Matrix& B);

/// A⁻¹ b and A⁻¹ for a symmetric A: LDLᵀ.
Vector solve_symmetric(const Matrix& A, const Vector& b);
Matrix inverse_symmetric(const Matrix& A);

/// L of A = L Lᵀ; nothing where A is not positive definite. Then L⁻¹ B and L⁻ᵀ b.
std::optional<Matrix> cholesky_factor(const Matrix& A);
Matrix solve_lower(const Matrix& L, const Matrix& B);
Vector solve_transposed_lower(const Matrix& L, const Vector& b);

/// A = U Σ Vᵀ, by Jacobi's method. The values fall.
Vector singular_values(const Matrix& A);
int rank_by_singular_values(const Matrix& A, double threshold);
struct SingularVectors {
  Vector values;
  Matrix vectors;  ///< columns of U or V
};
SingularVectors left_singular_vectors(const Matrix& A);  ///< as many as there are values
SingularVectors left_singular_basis(const Matrix& A);    ///< all: a basis
SingularVectors right_singular_basis(const Matrix& A);
struct SingularBases {
  Matrix left, right;  ///< U and V, all columns
};
SingularBases singular_bases(const Matrix& A);

/// Of a matrix that need not be symmetric; complex ones in pairs.
Eigen::VectorXcd eigenvalues(const Matrix& A);
struct Eigenpairs {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
Eigenpairs eigenpairs(const Matrix& A);
/// Of a symmetric matrix; they rise.
Vector symmetric_eigenvalues(const Matrix& A);

}  // namespace rattleback::dense
