#pragma once
/// The exponential chart B = B₀ exp(θ̂) of the rotations: the maps between rates θ' and angular velocities (dexp and its inverse).

#include <array>

namespace rattleback {

using Vector3 = std::array<double, 3>;

Vector3 cross(const Vector3& a, const Vector3& b);

/// θ' when B = B₀ exp(θ̂) turns with the body angular velocity Ω:
///     θ' = Ω + ½ θ × Ω + (1/|θ|²)(1 − (|θ|/2) cot(|θ|/2)) θ × (θ × Ω).                             (S.6)
/// For covectors, the transposed map is that of −θ.
Vector3 rotation_vector_rate(const Vector3& theta, const Vector3& omega);
/// Its inverse: Ω = θ' − (1 − cos|θ|)/|θ|² θ × θ' + (|θ| − sin|θ|)/|θ|³ θ × (θ × θ').                (S.8)
Vector3 angular_velocity(const Vector3& theta, const Vector3& rate);

}  // namespace rattleback
