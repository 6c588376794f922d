#pragma once
/// Projection onto the tangent space of the state manifold of a flow (unit quaternions, constraints).

#include <Eigen/Core>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Directions that the state cannot take: along a unit quaternion, off constraints on positions, and, where all velocities are
/// speeds (S.7), off the constraints on velocities. Each thread needs its own.
class TangentSpace {
 public:
  explicit TangentSpace(const Flow& flow);

  /// Independent directions at this state.
  std::size_t dimension(double t, std::span<const double> y);
  /// So many directions of the tangent space, which look arbitrary and are the same in every run.
  Eigen::MatrixXd some_directions(double t, std::span<const double> y, std::size_t count);
  /// Takes every column to the tangent space: orthogonally for positions, along the projection of the flow for velocities.
  void project(double t, std::span<const double> y, Eigen::MatrixXd& directions);

 private:
  Eigen::MatrixXd normals(double t, std::span<const double> y);
  /// Derivatives of the projected velocities with respect to the state; nothing where the flow does not project.
  Eigen::MatrixXd projection_slopes(double t, std::span<const double> y);

  const Flow* flow_;
  std::vector<double> x_;
  std::size_t positions_ = 0;
  Code position_slopes_, projected_slopes_;
  std::optional<Evaluator<double>> position_, projected_;
};

}  // namespace rattleback
