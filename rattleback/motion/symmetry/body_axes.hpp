#pragma once
/// Body-axis frames of planar motions: shows a Euclidean symmetry of a system.

#include <vector>

#include <rattleback/geometry/frame.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The same system in the frame e: v^i = e_a^i w^a in the Lagrangian, the constraints, the forces.
System in_frame(const System& system, const Frame& e, const std::vector<Symbol>& velocities);

/// cos θ ∂_x + sin θ ∂_y, −sin θ ∂_x + cos θ ∂_y in place of ∂_x, ∂_y: left-invariant on SE(2), with velocities ξ1, ξ2. (V.8)
struct BodyAxes {
  System system;
  Matrix frame;  ///< v^i = frame(i, a) w^a
};
/// For every angle and every two lines among the fibre legs, in both orientations.
std::vector<BodyAxes> planar_body_axes(const System& system, const std::vector<int>& fibre);

}  // namespace rattleback
