#pragma once
/// Unit quaternions (w, x, y, z) as numbers: how rotations are stored and moved.

#include <array>
#include <span>

namespace rattleback {

using Quaternion = std::array<double, 4>;

Quaternion operator*(const Quaternion& a, const Quaternion& b);
/// exp of the rotation vector θ: the rotation by |θ| about θ.
Quaternion exponential(const std::array<double, 3>& theta);
/// The unit quaternion of a rotation matrix given row by row.
Quaternion quaternion_of(std::span<const double> rotation);

}  // namespace rattleback
