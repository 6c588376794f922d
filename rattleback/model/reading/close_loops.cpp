// Declared in model/reading/reading.hpp. Joints that close loops: the position constraints they leave.
#include <fmt/format.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/system/collected.hpp>
#include <rattleback/model/system/machine.hpp>

namespace rattleback {
namespace {

struct Condition {
  std::string name;
  Expr e;  ///< vanishes in a closed loop
};

/// The joint's axes as each of its two bodies carries them, and the joint's point in each, all in the same frame.
struct LoopEnds {
  Matrix parent_point, child_point;
  Matrix parent_axis, child_axis;
  Matrix first_normal, second_normal;  ///< of the parent
  Matrix child_first_normal;
  Matrix child_second_axis;
  Expr between_axes;  ///< ⟨axis, second axis⟩ as they are mounted
};

LoopEnds ends_of(const Reading& reading, const PlannedJoint& joint) {
  const JointPlacement place = placement_of(reading, joint);
  const PosePair poses = poses_in_loop(reading, joint);
  const auto from_parent = [&](const Matrix& v) {
    return poses.parent.turned(place.parent_axes.to_space(v));
  };
  const auto from_child = [&](const Matrix& v) { return poses.child.turned(place.child_axes.to_space(v)); };
  return {
      poses.parent.at(place.at_parent), poses.child.at(place.at_child),  from_parent(place.axis),
      from_child(place.axis),           from_parent(place.first_normal), from_parent(place.second_normal),
      from_child(place.first_normal),   from_child(place.second_axis),   dot(place.axis, place.second_axis)};
}

void add_positions(std::vector<Condition>& all, const PlannedJoint& joint, const LoopEnds& ends) {
  const Matrix d = ends.child_point - ends.parent_point;
  switch (joint.kind->position) {
    case KeptPosition::none: return;
    case KeptPosition::along_axis: all.push_back({"height", dot(ends.parent_axis, d)}); return;
    case KeptPosition::across_axis:
      all.push_back({"across_1", dot(ends.first_normal, d)});
      all.push_back({"across_2", dot(ends.second_normal, d)});
      return;
    case KeptPosition::all:
      for (int k = 0; k < 3; ++k) all.push_back({std::string(1, "xyz"[k]), d[k]});
      return;
  }
}

void add_axes(std::vector<Condition>& all, const PlannedJoint& joint, const LoopEnds& ends) {
  const KeptAxes kept = joint.kind->axes;
  if (kept == KeptAxes::angle_between_axes)
    all.push_back({"angle", dot(ends.parent_axis, ends.child_second_axis) - ends.between_axes});
  if (kept == KeptAxes::axis || kept == KeptAxes::all) {
    all.push_back({"axis_1", dot(ends.first_normal, ends.child_axis)});
    all.push_back({"axis_2", dot(ends.second_normal, ends.child_axis)});
  }
  if (kept == KeptAxes::all) all.push_back({"turn", dot(ends.second_normal, ends.child_first_normal)});
}

[[noreturn]] void fail_open(const Reading& reading, const PlannedJoint& joint, const Condition& condition) {
  reading.fail_at_key(
      *joint.item,
      Error("open-loop", fmt::format("joint `{}` cannot close its loop", joint.name),
            fmt::format("its condition `{}` is {} = 0 in every position of the other joints", condition.name,
                        text(short_form(condition.e))),
            "check `at`, `child_at` and the axes of the joints of the loop; lengths that must agree need the "
            "same expression"));
}

}  // namespace

void close_loops(Reading& reading) {
  System& system = reading.system;
  std::size_t number = 0;
  for (const PlannedJoint& joint : reading.joints->joints) {
    JointSummary& summary = reading.machine->joints[number++];
    if (joint.in_tree) continue;
    std::vector<Condition> conditions;
    const LoopEnds ends = ends_of(reading, joint);
    add_positions(conditions, joint, ends);
    add_axes(conditions, joint, ends);
    for (const Condition& c : conditions) {
      if (vanishes(c.e)) {
        ++summary.satisfied;
        continue;
      }
      const Expr rate = collected(system.space.rate(c.e), system.space);
      if (vanishes(rate)) fail_open(reading, joint, c);
      const std::string name = fmt::format("{}_{}", joint.name, c.name);
      system.constraints.push_back(
          {name, rate, tidied(c.e), reading.place_of_key(*joint.item), std::nullopt});
      summary.conditions.push_back(name);
    }
  }
}

}  // namespace rattleback
