#include <rattleback/study/bound_volume.hpp>

#include <cmath>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

}  // namespace

bool is_state_bound(const Flow& flow) {
  return flow.projection() != nullptr || has_position_constraints(flow);
}

BoundVolume::BoundVolume(const Flow& flow, double rtol)
    : flow_(flow), rtol_(rtol), tangent_(flow), manifold_(flow), stated_(flow) {}

bool BoundVolume::settle(std::vector<double>& y) {
  constexpr int most_steps = search_limits::trial_projection.count;
  const auto m = static_cast<Eigen::Index>(flow_.first_speed());
  for (int step = 0; step < most_steps && stated_.positions() > 0; ++step) {
    manifold_(0, y.data());
    const StatedConstraints::Position at = stated_.position(0, y);
    if (!at.values.allFinite()) return false;
    const Vec by = dense::least_norm_columns(at.slopes, at.values);
    Eigen::Map<Vec>(y.data(), m) -= by;
    if (by.norm() < 1e-14 * (1 + Eigen::Map<Vec>(y.data(), m).norm())) break;
  }
  if (stated_.positions() > 0 && !(stated_.position(0, y).values.norm() < 1e-10)) return false;
  return manifold_.settle(0, y.data());
}

void BoundVolume::start(std::span<const double> y) {
  if (const std::size_t count = tangent_.dimension(0, y); !motion_ || count != count_) {
    count_ = count;
    motion_ = std::make_unique<VariationalMotion>(flow_, count, StepperSettings{rtol_, rtol_ / 100, 0});
  }
  motion_->start(0, y, tangent_.some_directions(0, y, count_));
  log_volume();
  log_volume_ = 0;
}

double BoundVolume::log_volume() {
  Mat frame = motion_->directions();
  tangent_.project(motion_->time(), motion_->state(), frame);
  const Mat r = dense::orthogonal_factors(measured(frame)).r;
  for (Eigen::Index j = 0; j < r.cols(); ++j) log_volume_ += std::log(std::abs(r(j, j)));
  if (!std::isfinite(log_volume_))
    throw StepFailure(motion_->time(), "the directions grew beyond all numbers");
  // M R⁻¹: of volume one again.
  motion_->set_directions(frame * dense::solve_upper(r, Mat::Identity(r.rows(), r.cols())));
  return log_volume_;
}

Mat BoundVolume::measured(Mat directions) {
  for (const std::size_t q : flow_.quaternions())
    directions.middleRows(static_cast<Eigen::Index>(q), 4) *= 2;  // |q'| = ½ |Ω|
  if (flow_.projection() == nullptr) return directions;
  const auto first = static_cast<Eigen::Index>(flow_.first_speed());
  const std::span<const double> y = motion_->state();
  const Vec w = Eigen::Map<const Vec>(y.data() + first, static_cast<Eigen::Index>(y.size()) - first);
  const Mat rows = stated_.velocity(motion_->time(), y, w).rows, velocities = directions.bottomRows(w.size());
  directions.bottomRows(w.size()) = velocities - dense::least_norm_columns(rows, rows * velocities);
  return directions;
}

}  // namespace rattleback
