#pragma once
/// [joints]: which joints make a tree and bring coordinates, and which ones close loops and bring position constraints.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/reading/planned_contact.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/system/joint_kind.hpp>
#include <rattleback/model/system/pose.hpp>

namespace rattleback {

inline constexpr const char* ground = "ground";

/// A joint of the file: read in two steps, names before the space is made, formulas when names have a meaning.
struct PlannedJoint {
  const Toml* item = nullptr;
  const JointKind* kind = nullptr;
  std::string name, parent, child;
  std::vector<std::string> coordinates;  ///< one per freedom
  std::vector<bool>
      on_line;  ///< freedom: an angle that is counted beyond a turn, because a spring or a drive knows it
  bool in_tree = false;
  bool reversed = false;  ///< the tree goes from child to parent

  const std::string& inner() const { return reversed ? child : parent; }  ///< nearer to the root
  const std::string& outer() const { return reversed ? parent : child; }
};

struct JointPlan {
  std::vector<PlannedJoint> joints;    ///< in the order of the file
  std::vector<std::size_t> placement;  ///< joints of the tree, from the roots outwards
  std::vector<PlannedContact> contacts;

  bool is_placed_by_contact(const std::string& body) const;
  /// The bodies that joints connect with this one, without the ground; itself too.
  std::vector<std::string> joined_with(const std::string& body) const;
};

/// Where a joint sits in its two bodies, all in body axes from the body's origin.
struct JointPlacement {
  Matrix at_parent, at_child;
  Attitude parent_axes, child_axes;  ///< joint axes → body axes
  Matrix axis, second_axis, first_normal, second_normal;

  Matrix direction(Freedom::Along along) const;
};

JointPlacement placement_of(const Reading& reading, const PlannedJoint& joint);

/// From the parent's origin and axes to those of the child.
std::vector<Displacement> displacements(const Reading& reading, const PlannedJoint& joint);

/// Poses relative to the body's deepest ancestor that both have in common, or to space.
struct PosePair {
  Pose parent, child;
};
PosePair poses_in_loop(const Reading& reading, const PlannedJoint& joint);

}  // namespace rattleback
