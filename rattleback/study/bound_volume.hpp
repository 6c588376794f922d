#pragma once
/// Phase volume where constraints bind the state: growth of a frame of variations that spans the tangent space.

#include <Eigen/Core>

#include <rattleback/simulate/runs/variational_motion.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/states/tangent_space.hpp>
#include <rattleback/simulate/steppers/stated_constraints.hpp>

namespace rattleback {

/// Is the state bound by constraints on positions, or by those on velocities because all velocities are numbers of it?
bool is_state_bound(const Flow& flow);

/// ln V of a small piece of {φ = 0} with the admissible velocities over it, along a motion. With M_k the frame at a time t_k, made of unit
/// volume there, and W M what is measured of it,
///     ln V = Σ_k ln |det R_k|,   W M_k = Q_k R_k.                                                       (S.30)
/// W takes numbers of the configuration to velocities of the frame, so that {φ = 0} has the volume of (M.12), and velocities
/// orthogonally to those that the constraints allow. Each thread needs its own.
class BoundVolume {
 public:
  BoundVolume(const Flow& flow, double rtol);
  BoundVolume(const BoundVolume&) = delete;
  BoundVolume& operator=(const BoundVolume&) = delete;

  /// The state moved to the constraints; false where none of its neighbours satisfies them.
  bool settle(std::vector<double>& y);

  void start(std::span<const double> y);
  void step(double end) { motion_->step(end); }
  double time() const { return motion_->time(); }
  std::span<const double> state() const { return motion_->state(); }
  /// Since the start.
  double log_volume();

 private:
  Eigen::MatrixXd measured(Eigen::MatrixXd directions);

  const Flow& flow_;
  double rtol_;
  TangentSpace tangent_;
  Manifold<double> manifold_;
  StatedConstraints stated_;
  std::unique_ptr<VariationalMotion> motion_;
  std::size_t count_ = 0;
  double log_volume_ = 0;
};

}  // namespace rattleback
