#pragma once
/// Implicit Runge–Kutta methods whose stages are solved by Newton's method with the exact Jacobian of the rates.

#include <Eigen/Core>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/native/dual.hpp>
#include <rattleback/simulate/states/rates.hpp>

namespace rattleback {

/// The coefficients of a collocation method with nodes c: a_ij = ∫_0^{c_i} ℓ_j, b_j = ∫_0^1 ℓ_j.
struct Collocation {
  Eigen::VectorXd c, b;
  Eigen::MatrixXd a;
  explicit Collocation(std::span<const double> nodes);
};

/// Solves Y_i = y + h Σ_j a_ij f(t + c_j h, Y_j) for the stage rates.                               (S.5)
class StageEquations {
 public:
  StageEquations(const Flow& flow, std::span<const double> nodes);

  const Collocation& method() const { return method_; }
  /// f at the stages, n × s; the last result, or zero, is where the iteration starts. False when it does not converge.
  bool solve(double t, double h, std::span<const double> y);
  const Eigen::MatrixXd& rates() const { return k_; }
  /// ∂f/∂y at the beginning of the last step that was solved.
  const Eigen::MatrixXd& jacobian() const { return jacobian_; }
  void forget() { k_.setZero(); }
  std::size_t evaluations() const { return evaluations_; }

 private:
  void linearise(double t, double h, std::span<const double> y);

  Collocation method_;
  std::size_t n_;
  Evaluator<double> f_;
  Jacobian derivative_;
  Eigen::MatrixXd k_, jacobian_;
  dense::LuFactors newton_;
  double linearised_h_ = 0;
  bool fresh_ = false;
  std::size_t evaluations_ = 0;
};

}  // namespace rattleback
