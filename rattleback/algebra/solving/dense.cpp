#include <rattleback/algebra/solving/dense.hpp>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>

namespace rattleback::dense {
namespace {

Eigen::FullPivLU<Matrix> fully_pivoted(const Matrix& A, std::optional<double> threshold) {
  Eigen::FullPivLU<Matrix> lu(A);
  if (threshold) lu.setThreshold(*threshold);
  return lu;
}

}  // namespace

LuFactors::LuFactors() : factors_(std::make_unique<Eigen::PartialPivLU<Matrix>>()) {}
LuFactors::LuFactors(const Matrix& A) : factors_(std::make_unique<Eigen::PartialPivLU<Matrix>>(A)) {}
LuFactors::LuFactors(LuFactors&&) noexcept = default;
LuFactors& LuFactors::operator=(LuFactors&&) noexcept = default;
LuFactors::~LuFactors() = default;
void LuFactors::compute(const Matrix& A) { factors_->compute(A); }
Vector LuFactors::solve(const Vector& b) const { return factors_->solve(b); }

Vector solve(const Matrix& A, const Vector& b) { return A.partialPivLu().solve(b); }
Vector solve_transposed(const Matrix& A, const Vector& b) { return A.transpose().partialPivLu().solve(b); }
Matrix solve_columns(const Matrix& A, const Matrix& B) { return A.partialPivLu().solve(B); }
Matrix inverse(const Matrix& A) { return A.inverse(); }
double determinant(const Matrix& A) { return A.determinant(); }

bool is_invertible(const Matrix& A) { return fully_pivoted(A, {}).isInvertible(); }
Vector solve_fully_pivoted(const Matrix& A, const Vector& b) { return fully_pivoted(A, {}).solve(b); }
Matrix solve_columns_fully_pivoted(const Matrix& A, const Matrix& B) { return fully_pivoted(A, {}).solve(B); }
Matrix inverse_fully_pivoted(const Matrix& A) { return fully_pivoted(A, {}).inverse(); }
int rank(const Matrix& A, std::optional<double> threshold) {
  return static_cast<int>(fully_pivoted(A, threshold).rank());
}
Matrix kernel(const Matrix& A, std::optional<double> threshold) {
  return fully_pivoted(A, threshold).kernel();
}

LeastNorm least_norm(const Matrix& A, const Vector& b, std::optional<double> threshold) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  if (threshold) factors.setThreshold(*threshold);
  factors.compute(A);
  return {factors.solve(b), static_cast<int>(factors.rank())};
}
Matrix least_norm_columns(const Matrix& A, const Matrix& B) {
  return A.completeOrthogonalDecomposition().solve(B);
}

Vector least_squares(const Matrix& A, const Vector& b) { return A.colPivHouseholderQr().solve(b); }
LeastSquares::LeastSquares() : factors_(std::make_unique<Eigen::ColPivHouseholderQR<Matrix>>()) {}
LeastSquares::~LeastSquares() = default;
Vector LeastSquares::operator()(Eigen::Map<const Matrix> A, Eigen::Map<const Vector> b) {
  factors_->compute(A);
  return factors_->solve(b);
}
int rank_by_qr(const Matrix& A, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(threshold);
  return static_cast<int>(qr.rank());
}

OrthogonalFactors orthogonal_factors(const Matrix& A) {
  const Eigen::HouseholderQR<Matrix> qr(A);
  return {qr.householderQ() * Matrix::Identity(A.rows(), A.cols()),
          qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>()};
}
Matrix solve_upper(const Matrix& R, const Matrix& B) { return R.triangularView<Eigen::Upper>().solve(B); }

Vector solve_symmetric(const Matrix& A, const Vector& b) { return A.ldlt().solve(b); }
Matrix inverse_symmetric(const Matrix& A) { return A.ldlt().solve(Matrix::Identity(A.rows(), A.cols())); }

std::optional<Matrix> cholesky_factor(const Matrix& A) {
  const Eigen::LLT<Matrix> factors(A);
  return factors.info() == Eigen::Success ? std::optional<Matrix>(factors.matrixL()) : std::nullopt;
}
Matrix solve_lower(const Matrix& L, const Matrix& B) { return L.triangularView<Eigen::Lower>().solve(B); }
Vector solve_transposed_lower(const Matrix& L, const Vector& b) {
  return L.adjoint().triangularView<Eigen::Upper>().solve(b);
}

Vector singular_values(const Matrix& A) { return A.jacobiSvd().singularValues(); }
int rank_by_singular_values(const Matrix& A, double threshold) {
  Eigen::JacobiSVD<Matrix> svd(A);
  svd.setThreshold(threshold);
  return static_cast<int>(svd.rank());
}
SingularVectors left_singular_vectors(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU);
  return {svd.singularValues(), svd.matrixU()};
}
SingularVectors left_singular_basis(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullU);
  return {svd.singularValues(), svd.matrixU()};
}
SingularVectors right_singular_basis(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullV);
  return {svd.singularValues(), svd.matrixV()};
}
SingularBases singular_bases(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV()};
}

Eigen::VectorXcd eigenvalues(const Matrix& A) { return Eigen::EigenSolver<Matrix>(A, false).eigenvalues(); }
Eigenpairs eigenpairs(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}
Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A).eigenvalues();
}

}  // namespace rattleback::dense
