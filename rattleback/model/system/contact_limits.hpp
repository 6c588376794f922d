#pragma once
/// Where the formulas of a contact hold: the body lies above its support, and its surface is convex where it touches.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// A function of the configuration that is positive as long as the contact is what the model says.
struct ContactLimit {
  std::string slug;  ///< of the error where it is not positive
  std::string contact;
  Expr positive;
  std::string broken;  ///< what is wrong where it is not: "the surface is not convex where it touches"
  bool depends_on_sizes =
      false;  ///< it may fail wherever the bodies are: a ball that is too large for its bowl
};

/// For a disk or a parametric surface: its centre lies above the point of contact. For an implicit surface f = 0 with ∇f = −κγ: κ > 0,
/// so that the inside of the body lies above the support. Spheres and ellipsoids have positive radii; a point, whose radius is 0, has no limit.
///
/// The body curves away from its support: with S the curvature of the body and K that of the support, positive where it curves towards the body,
/// S − K is positive definite; where W = S⁻¹ is known in closed form, 1 − W K has positive eigenvalues. A ball of radius r in a round bowl of radius R
/// needs R − r > 0. On a plane K = 0, and an implicit surface needs f'' positive definite on the tangent plane.
std::vector<ContactLimit> contact_limits(const System& system);

}  // namespace rattleback
