#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/newton.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace rattleback {
namespace {

using Equations = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

thread_local NearbySolutions* nearby = nullptr;

Eigen::MatrixXd differences(const Equations& F, Eigen::VectorXd x, const Eigen::VectorXd& at_x) {
  Eigen::MatrixXd j(at_x.size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double here = x[k], apart = 1e-7 * (1 + std::abs(here));
    x[k] = here + apart;
    j.col(k) = (F(x) - at_x) / apart;
    x[k] = here;
  }
  return j;
}

/// How far Newton's method has come: whether a change of this relative size is the last one, or worse than half as small as the one before.
struct Progress {
  double nearly, before = std::numeric_limits<double>::infinity();

  bool is_last(double size) const { return size < 1e-16 || (size < nearly && size > before / 2); }
  bool is_slow(double size) const { return size > before / 4; }
};

/// x −= step; the size of that change.
double changed(Eigen::VectorXd& x, const Eigen::VectorXd& step) {
  x -= step;
  return (step.array().abs() / (1 + x.array().abs())).maxCoeff();
}

/// Two steps with one Jacobian. See NearbySolutions.
bool follow(const Equations& F, const dense::LuFactors& jacobian, Eigen::VectorXd& x) {
  for (int i = 0; i < 2; ++i) x -= jacobian.solve(F(x));
  return x.allFinite();
}

bool solve_with_new_jacobians(const Equations& F, Eigen::VectorXd& x, double nearly) {
  constexpr int most = search_limits::implicit_step.count;
  dense::LuFactors jacobian;
  Progress progress{nearly};
  bool renew = true;
  for (int i = 0; i < most; ++i) {
    const Eigen::VectorXd f = F(x);
    if (!f.allFinite()) return false;
    if (renew) jacobian.compute(differences(F, x, f));
    const Eigen::VectorXd step = jacobian.solve(f);
    if (!step.allFinite()) return false;
    const double size = changed(x, step);
    if (progress.is_last(size)) return true;
    renew = progress.is_slow(size);
    progress.before = size;
  }
  return false;
}

}  // namespace

NearbySolutions::NearbySolutions() : outer_(std::exchange(nearby, this)) {}
NearbySolutions::~NearbySolutions() { nearby = outer_; }

void NearbySolutions::keep_next_step() {
  kept_.clear();
  keeping_ = true;
}

void NearbySolutions::start_from_kept() {
  next_ = 0;
  keeping_ = false;
}

double nearly_in_step(double h) { return std::max(1e-9, 1e-14 / std::abs(h)); }

bool solve_by_newton(const Equations& F, Eigen::VectorXd& x, double nearly) {
  if (x.size() == 0) return true;  // no degree of freedom
  if (nearby != nullptr && !nearby->keeping_ && nearby->next_ < nearby->kept_.size()) {
    const NearbySolutions::Solution& kept = nearby->kept_[nearby->next_++];
    if (kept.x.size() == x.size()) {
      Eigen::VectorXd found = kept.x;
      if (follow(F, kept.jacobian, found)) {
        x = found;
        return true;
      }
    }
  }
  if (!solve_with_new_jacobians(F, x, nearly)) return false;
  if (nearby != nullptr && nearby->keeping_)
    nearby->kept_.push_back({x, dense::LuFactors(differences(F, x, F(x)))});
  return true;
}

}  // namespace rattleback
