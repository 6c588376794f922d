#pragma once
/// Where the formulas of a contact hold: the body lies above its support, and its surface is convex where it touches.

#include <string>
#include <vector>

#include <rattleback/model/system.hpp>

namespace rattleback {

/// A function of the configuration that is positive as long as the contact is what the model says.
struct ContactLimit {
  std::string contact;
  Expr positive;
  std::string slug;    ///< of the error where it is not
  std::string broken;  ///< what is wrong where it is not: "the surface is not convex where it touches"
};

/// For a disk: its centre lies above the point of contact. For an implicit surface f = 0 with ∇f = −κγ: κ > 0, so that the inside
/// of the body lies above the support; and f'' is positive definite on the tangent plane, so that the surface curves away from
/// the support. Spheres and ellipsoids have positive radii; a point, whose radius is 0, has no limit.
std::vector<ContactLimit> contact_limits(const System& system);

}  // namespace rattleback
