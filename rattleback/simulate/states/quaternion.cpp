#include <rattleback/simulate/states/quaternion.hpp>

#include <cmath>

namespace rattleback {

Quaternion operator*(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

Quaternion exponential(const std::array<double, 3>& theta) {
  const double half = std::sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]) / 2;
  const double scale = half < 1e-4 ? (1 - half * half / 6) / 2 : std::sin(half) / (2 * half);
  return {std::cos(half), scale * theta[0], scale * theta[1], scale * theta[2]};
}

/// From the largest of the four: q_k² comes from the diagonal, the others from sums and differences off it.
Quaternion quaternion_of(std::span<const double> B) {
  const auto b = [&](std::size_t i, std::size_t j) { return B[3 * i + j]; };
  const double trace = b(0, 0) + b(1, 1) + b(2, 2);
  Quaternion q{trace, b(0, 0), b(1, 1), b(2, 2)};
  std::size_t k = 0;
  for (std::size_t i = 1; i < 4; ++i)
    if (q[i] > q[k]) k = i;
  if (k == 0) {
    q = {1 + trace, b(2, 1) - b(1, 2), b(0, 2) - b(2, 0), b(1, 0) - b(0, 1)};
  } else {
    const std::size_t i = k - 1, j = (i + 1) % 3, l = (i + 2) % 3;
    q[0] = b(l, j) - b(j, l);
    q[k] = 1 + b(i, i) - b(j, j) - b(l, l);
    q[j + 1] = b(i, j) + b(j, i);
    q[l + 1] = b(i, l) + b(l, i);
  }
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= norm;
  return q;
}

}  // namespace rattleback
