#pragma once
/// Kinds of joints, one row each: the elementary motions that a joint allows, and what it forbids when it closes a loop.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rattleback {

/// One freedom of a joint, in the axes that the freedoms before it have reached.
struct Freedom {
  enum class Kind : std::uint8_t { shift, turn, rotation };
  /// Directions that a joint knows: its axis, its second axis, two normals of the axis, and the axes of the joint's frame.
  enum class Along : std::uint8_t { axis, second_axis, first_normal, second_normal, e1, e2, e3 };
  Kind kind;
  Along along;
};

/// What a closing joint forbids: displacements of its two points, and changes of its axes against each other.
enum class KeptPosition : std::uint8_t { none, along_axis, across_axis, all };
enum class KeptAxes : std::uint8_t { none, angle_between_axes, axis, all };

struct JointKind {
  std::string_view name, about;
  std::span<const Freedom> freedoms;
  KeptPosition position;
  KeptAxes axes;

  int degrees() const;                       ///< of freedom
  bool has(Freedom::Along direction) const;  ///< does a freedom go along it?
  bool has_axis() const;
};

std::span<const JointKind> joint_kinds();
/// Null for a name that is none.
const JointKind* joint_kind(std::string_view name);

}  // namespace rattleback
