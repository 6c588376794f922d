#pragma once
/// The frames of a tree of joints, one for each shift or turn: what the articulated-body algorithm walks over.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/joint_tree.hpp>

namespace rattleback {

/// A frame that moves against its parent: by a shift, or by a turn about its origin.
struct JointFrame {
  int parent = -1;    ///< index of a frame before it; −1: the ground
  Matrix arm;         ///< of a shift: from the parent's origin to this one; empty for a turn
  Matrix rotation;    ///< of a turn: from these axes to those of the parent; empty for a shift
  Matrix directions;  ///< 3 × k, in these axes: what one unit of each speed adds to the relative velocity
  std::vector<int> legs;  ///< of the space, one for each direction

  Expr mass;              ///< of the bodies that sit in this frame
  Matrix moment;          ///< Σ m r_OG
  Matrix inertia;         ///< about the origin
  bool is_solid = false;  ///< a body of positive mass and definite inertia sits here
  int link = -1;          ///< whose joint this frame belongs to

  bool turns() const { return arm.rows() == 0; }
  int freedoms() const { return static_cast<int>(legs.size()); }
};

struct JointFrames {
  std::vector<JointFrame> frames;  ///< every parent before its children
  bool is_definite = true;         ///< the kinetic energy is positive definite, in all positions
};

/// Nothing when a joint moves by anything else than one coordinate for each freedom.
std::optional<JointFrames> joint_frames(const JointTree& tree, const Space& space);

}  // namespace rattleback
