#pragma once
/// Newton's method with a finite-difference Jacobian, for the equations of implicit steps.

#include <functional>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {

/// Warm start of Newton's method: while this lives, solve_by_newton() in this thread remembers the solutions of one step, with their factorised
/// Jacobians, and the next steps start from them. It makes finite differences of a step map cheap, whose steps lie close together. The
/// k-th equation that a step solves starts from the k-th of the remembered step.
class NearbySolutions {
 public:
  NearbySolutions();
  ~NearbySolutions();
  NearbySolutions(const NearbySolutions&) = delete;
  NearbySolutions& operator=(const NearbySolutions&) = delete;

  void keep_next_step();   ///< remembers the next step instead of the present one
  void start_from_kept();  ///< the next step starts from the remembered one

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

/// Moves x from a guess to F(x) = 0, as near as rounding allows. The Jacobian is computed once, and again when progress is
/// slow. False when it does not converge. A relative change below `nearly` that is not halved any more counts as rounding: x is found.
bool solve_by_newton(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F, Eigen::VectorXd& x,
                     double nearly = 1e-9);

/// `nearly` for velocities that positions after a step of length h determine: rounding of these counts 1/h times.
double nearly_in_step(double h);

}  // namespace rattleback
