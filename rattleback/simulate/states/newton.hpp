#pragma once
/// Newton's method with a finite-difference Jacobian, for the equations of implicit steps.

#include <functional>

#include <Eigen/Core>

namespace rattleback {

/// Moves x from a guess to F(x) = 0, as near as rounding allows. The Jacobian is made once and again when progress is
/// slow. False when it does not converge: from `nearly` on, a relative change that does not halve is rounding.
bool solve_by_newton(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F, Eigen::VectorXd& x,
                     double nearly = 1e-9);

/// `nearly` for velocities that positions after a step of length h determine: rounding of these counts 1/h times.
double nearly_in_step(double h);

}  // namespace rattleback
