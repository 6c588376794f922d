#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rattleback {
namespace {

Eigen::MatrixXd differences(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F,
                            Eigen::VectorXd x, const Eigen::VectorXd& at_x) {
  Eigen::MatrixXd j(at_x.size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double here = x[k], apart = 1e-7 * (1 + std::abs(here));
    x[k] = here + apart;
    j.col(k) = (F(x) - at_x) / apart;
    x[k] = here;
  }
  return j;
}

}  // namespace

double nearly_in_step(double h) { return std::max(1e-9, 1e-14 / std::abs(h)); }

bool solve_by_newton(const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& F, Eigen::VectorXd& x,
                     double nearly) {
  if (x.size() == 0) return true;  // no degree of freedom
  constexpr int most = search_limits::implicit_step.count;
  dense::LuFactors jacobian;
  double before = std::numeric_limits<double>::infinity();
  bool renew = true;
  for (int i = 0; i < most; ++i) {
    const Eigen::VectorXd f = F(x);
    if (!f.allFinite()) return false;
    if (renew) jacobian.compute(differences(F, x, f));
    const Eigen::VectorXd step = jacobian.solve(f);
    if (!step.allFinite()) return false;
    x -= step;
    const double size = (step.array().abs() / (1 + x.array().abs())).maxCoeff();
    if (size < 1e-16 || (size < nearly && size > before / 2)) return true;
    renew = size > before / 4;
    before = size;
  }
  return false;
}

}  // namespace rattleback
