#pragma once
/// Newton's method with a finite-difference Jacobian, for the equations of implicit steps.

#include <functional>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {

/// While it lives, solve_by_newton in this thread keeps what the equations of one step had as solutions, with their Jacobians, for the derivative
/// of that step by differences. In steps beside it the equations are not solved: from the kept solution x_0 it takes two steps
/// x ↦ x − J⁻¹ F(x; y). Where F(x_0; y_0) = 0, their result has the derivative of the solution, −F_x⁻¹ F_y, but for (1 − J⁻¹ F_x)², the square of
/// the error of J. An equation is known by its place in the order of the step.
class NearbySolutions {
 public:
  NearbySolutions();
  ~NearbySolutions();
  NearbySolutions(const NearbySolutions&) = delete;
  NearbySolutions& operator=(const NearbySolutions&) = delete;

  void keep_next_step();   ///< in place of those that are kept
  void start_from_kept();  ///< in the next step, which is beside it

 private:
  friend bool solve_by_newton(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F,
                              Eigen::VectorXd& x, double nearly);
  struct Solution {
    Eigen::VectorXd x;
    dense::LuFactors jacobian;
  };
  std::vector<Solution> kept_;
  std::size_t next_ = 0;
  bool keeping_ = false;
  NearbySolutions* outer_;
};

/// Moves x from a guess to F(x) = 0, as near as rounding allows. The Jacobian is made once and again when progress is
/// slow. False when it does not converge: from `nearly` on, a relative change that does not halve is rounding.
bool solve_by_newton(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F, Eigen::VectorXd& x,
                     double nearly = 1e-9);

/// `nearly` for velocities that positions after a step of length h determine: rounding of these counts 1/h times.
double nearly_in_step(double h);

}  // namespace rattleback
