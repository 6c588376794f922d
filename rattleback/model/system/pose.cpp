#include <rattleback/model/system/pose.hpp>

#include <algorithm>

namespace rattleback {
namespace {

/// k when n = e_k, −1 − k when n = −e_k, 3 otherwise.
int coordinate_axis(const Matrix& n) {
  for (int k = 0; k < 3; ++k) {
    if (n == unit_vector(k)) return k;
    if (n == -unit_vector(k)) return -1 - k;
  }
  return 3;
}

Matrix rotation_about_coordinate_axis(int k, Expr angle) {
  return k == 0 ? rotation_x(angle) : k == 1 ? rotation_y(angle) : rotation_z(angle);
}

}  // namespace

Displacement shift(const Matrix& direction, Expr amount) {
  return {Displacement::Kind::shift, direction, amount, Matrix(), Matrix()};
}

Displacement turn(const Matrix& axis, Expr angle) {
  return {Displacement::Kind::turn, axis, angle, Matrix(), Matrix()};
}

Displacement rotation(const Joint& joint) {
  return {Displacement::Kind::rotation, Matrix(), Expr(0), joint.rotation, joint.rate};
}

/// (R, Ω) backwards is (Rᵀ, −R Ω).
std::vector<Displacement> inverse(std::vector<Displacement> motions) {
  std::reverse(motions.begin(), motions.end());
  for (Displacement& m : motions) {
    if (m.kind != Displacement::Kind::rotation) {
      m.amount = -m.amount;
      continue;
    }
    m.rate = -(m.matrix * m.rate);
    m.matrix = transpose(m.matrix);
  }
  return motions;
}

Matrix rotation_about(const Matrix& n, Expr angle) {
  const int k = coordinate_axis(n);
  if (k < 0) return rotation_about_coordinate_axis(-1 - k, -angle);
  if (k < 3) return rotation_about_coordinate_axis(k, angle);
  return cos(angle) * Matrix::identity(3) + sin(angle) * hat(n) + (1 - cos(angle)) * (n * transpose(n));
}

Pose::Pose(Matrix position, const Attitude& attitude) : position_(std::move(position)) {
  for (const Joint& joint : attitude.joints()) turns_.push_back({joint, Matrix(), Expr(0)});
}

Pose& Pose::move(const Displacement& motion, const Space& space) {
  if (motion.kind == Displacement::Kind::shift) {
    position_ = position_ + turned(motion.amount * motion.direction);
    return *this;
  }
  if (motion.kind == Displacement::Kind::rotation) {
    turns_.push_back({Joint{motion.matrix, motion.rate, -1}, Matrix(), Expr(0)});
    return *this;
  }
  const int k = coordinate_axis(motion.direction);
  const Matrix axis = k < 0 ? unit_vector(-1 - k) : motion.direction;
  Expr angle = k < 0 ? -motion.amount : motion.amount;
  if (!turns_.empty() && turns_.back().axis == axis) {
    angle = turns_.back().angle + angle;
    turns_.pop_back();
  }
  if (angle.is_zero()) return *this;
  const int index = k == 3 ? -1 : k < 0 ? -1 - k : k;
  turns_.push_back({Joint{rotation_about(axis, angle), space.rate(angle) * axis, index}, axis, angle});
  return *this;
}

Pose& Pose::move(const std::vector<Displacement>& motions, const Space& space) {
  for (const Displacement& m : motions) move(m, space);
  return *this;
}

Attitude Pose::attitude() const {
  std::vector<Joint> joints;
  for (const Turn& t : turns_) joints.push_back(t.joint);
  return Attitude(std::move(joints));
}

Matrix Pose::turned(Matrix v) const {
  for (auto t = turns_.rbegin(); t != turns_.rend(); ++t) v = t->joint.rotation * v;
  return v;
}

}  // namespace rattleback
