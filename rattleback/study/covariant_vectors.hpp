#pragma once
/// Covariant Lyapunov vectors by Ginelli's algorithm: directions that the variational flow carries into each other, and their angles.

#include <optional>
#include <string>

#include <rattleback/simulate/states/flow.hpp>

#include <Eigen/Core>

namespace rattleback {

struct CovariantVectors {
  std::vector<double> exponents;  ///< growth of each vector, without orthonormalisation
  Eigen::MatrixXd least_angle;    ///< between vectors i and j along the motion, in radians
  Eigen::MatrixXd mean_angle;
  /// Least angle between the span of the vectors that grow and of those that shrink: near 0, the motion is not hyperbolic.
  std::optional<double> hyperbolicity;
  double time = 0;  ///< over which they are counted
  std::optional<std::string> failure;
};

/// Frames Q_k and triangles R_k of the variational flow over equal intervals are kept; backwards C_{k−1} = R_k^{-1} C_k with columns of
/// length one converges to the coordinates of the vectors in Q_k                                     (S.26) [Ginelli et al. 2007].
/// A quarter of the time lets the frames align, another quarter, at the end, the triangles.
CovariantVectors covariant_vectors(const Flow& flow, std::span<const double> y, double until,
                                   std::size_t count, double rtol = 1e-10);

}  // namespace rattleback
