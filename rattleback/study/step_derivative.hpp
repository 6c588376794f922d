#pragma once
/// The derivative of one step of a method of constant step: exact for Runge–Kutta methods, by differences for the others.

#include <memory>

#include <Eigen/Core>

#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

/// Steps y ↦ Φ_h(t, y) and ln |det ∂Φ_h/∂y| between the tangent spaces at y and at its image; a unit quaternion has three directions. A step
/// of a Runge–Kutta method is differentiated with its stages (S.31). Differences have order 4 and follow what an implicit step solves
/// (NearbySolutions); coordinates on which nothing depends need none.
class StepDerivative {
 public:
  enum class By { stages, differences };
  /// By stages where the method has any. Throws Error[usage] for a method that is no map of states; Error[method-does-not-apply].
  StepDerivative(const Flow& flow, const std::string& method, double step, By by = By::stages);
  ~StepDerivative();

  Eigen::VectorXd step(double t, const Eigen::VectorXd& y);
  /// At the state from which step() was asked last, with what it led to.
  double log_determinant(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& image);

  bool is_exact() const { return stages_ != nullptr; }
  /// How far the sum of all logarithms so far may be from the truth: every sixteenth step is differentiated twice, with differences that
  /// are twice as wide. The mean of what changes counts for each step, its scatter twice as that of rounding. 0 where exact.
  double error() const;

 private:
  class Stages;
  Eigen::VectorXd stepped(double t, const Eigen::VectorXd& y);
  Eigen::VectorXd moved(const Eigen::VectorXd& y, const Eigen::VectorXd& by) const;
  /// Of the step along columns, by differences.
  Eigen::MatrixXd slopes(double t, const Eigen::VectorXd& y, const Eigen::MatrixXd& from, double apart);
  double by_differences(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& image, double apart);
  /// The first step decides whether the method depends on idle numbers as little as the formulas do.
  void check_idle(double t, const Eigen::VectorXd& y);

  const Flow& flow_;
  double h_;
  std::unique_ptr<Stepper> stepper_;
  NearbySolutions nearby_;
  std::unique_ptr<Stages> stages_;
  std::vector<Eigen::Index> idle_;  ///< numbers of the state on which nothing depends
  std::size_t steps_ = 0, checks_ = 0;
  double changes_ = 0, squares_ = 0;  ///< sums over the steps that were differentiated twice
};

}  // namespace rattleback
