#include <rattleback/simulate/states/rotation_vector.hpp>

#include <cmath>

namespace rattleback {
namespace {

/// v + a θ × v + b θ × (θ × v).
Vector3 turned(const Vector3& theta, const Vector3& v, double a, double b) {
  const Vector3 once = cross(theta, v), twice = cross(theta, once);
  Vector3 sum;
  for (std::size_t k = 0; k < 3; ++k) sum[k] = v[k] + a * once[k] + b * twice[k];
  return sum;
}

double square(const Vector3& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

}  // namespace

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3 rotation_vector_rate(const Vector3& theta, const Vector3& omega) {
  const double s = square(theta), size = std::sqrt(s);
  const double factor =
      size < 1e-2 ? 1.0 / 12 + s / 720 + s * s / 30240 : (1 - size / 2 / std::tan(size / 2)) / s;
  return turned(theta, omega, 0.5, factor);
}

Vector3 angular_velocity(const Vector3& theta, const Vector3& rate) {
  const double s = square(theta), size = std::sqrt(s);
  if (size < 1e-2) return turned(theta, rate, -0.5 + s / 24 - s * s / 720, 1.0 / 6 - s / 120 + s * s / 5040);
  return turned(theta, rate, -(1 - std::cos(size)) / s, (size - std::sin(size)) / (s * size));
}

}  // namespace rattleback
