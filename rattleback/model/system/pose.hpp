#pragma once
/// Poses of rigid bodies, composed of translations and rotations: forward kinematics of a tree of joints.

#include <vector>

#include <rattleback/model/system/rotation_chain.hpp>

namespace rattleback {

/// One elementary motion in the axes that the motions before it have reached.
struct Displacement {
  enum class Kind : std::uint8_t { shift, turn, rotation };
  Kind kind = Kind::shift;
  Matrix direction;  ///< shift, turn: a constant vector, of unit length for a turn
  Expr amount;       ///< shift: along it; turn: the angle about it
  Matrix matrix;     ///< rotation: R, and its angular velocity in the axes behind it
  Matrix rate;
};

Displacement shift(const Matrix& direction, Expr amount);
Displacement turn(const Matrix& axis, Expr angle);
Displacement rotation(const Joint& joint);

/// The motions backwards: what leads from the end to the beginning.
std::vector<Displacement> inverse(std::vector<Displacement> motions);

/// R(n, a) = cos a + sin a n̂ + (1 − cos a) n nᵀ.
Matrix rotation_about(const Matrix& n, Expr angle);

/// Where a frame is: its origin and its axes, relative to another frame.
class Pose {
 public:
  Pose() : position_(3, 1) {}
  Pose(Matrix position, const Attitude& attitude);

  /// The frame reached by this motion; two turns about the same axis are one.
  Pose& move(const Displacement& motion, const Space& space);
  Pose& move(const std::vector<Displacement>& motions, const Space& space);

  const Matrix& position() const { return position_; }
  Attitude attitude() const;
  Matrix turned(Matrix v) const;  ///< R v
  Matrix at(const Matrix& r) const { return position_ + turned(r); }

 private:
  struct Turn {
    Joint joint;
    Matrix axis;  ///< empty when it is no turn about a constant axis
    Expr angle;
  };
  std::vector<Turn> turns_;
  Matrix position_;
};

}  // namespace rattleback
