#pragma once
/// Newton's method with a finite-difference Jacobian, for the equations of implicit steps.

#include <functional>

#include <Eigen/Core>

namespace rattleback {

/// Moves x from a guess to F(x) = 0, as near as rounding allows. The Jacobian is made once and again when progress is
/// slow. False when it does not converge.
bool solve_by_newton(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F, Eigen::VectorXd& x);

}  // namespace rattleback
