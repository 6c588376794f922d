// Declared in model/reading/joints.hpp and model/reading/reading.hpp. [joints]: the poses that the tree of joints gives to bodies.
#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/system/machine.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {

using Along = Freedom::Along;

Matrix JointPlacement::direction(Along along) const {
  switch (along) {
    case Along::axis: return axis;
    case Along::second_axis: return second_axis;
    case Along::first_normal: return first_normal;
    case Along::second_normal: return second_normal;
    case Along::e1: return unit_vector(0);
    case Along::e2: return unit_vector(1);
    case Along::e3: return unit_vector(2);
  }
  return axis;
}

namespace {

/// Two constant unit vectors across n: the other axes of the joint, in their order, when n is one of them.
std::pair<Matrix, Matrix> normals_of(const Matrix& n) {
  for (int k = 0; k < 3; ++k) {
    if (n == unit_vector(k) || n == -unit_vector(k))
      return {unit_vector(k == 0 ? 1 : 0), unit_vector(k == 2 ? 1 : 2)};
  }
  for (int k = 0; k < 3; ++k) {
    const Matrix v = cross(n, unit_vector(k));
    const Expr length = dot(v, v);
    if (vanishes_at_random_points(length)) continue;
    const Matrix first = pow(sqrt(length), -1) * v;
    return {first, cross(n, first)};
  }
  throw Bug("a direction without normals");
}

Attitude constant_axes(const Reading& reading, const Toml* item) {
  if (item == nullptr) return {};
  const Attitude axes = read_attitude(reading, *item);
  for (const Joint& joint : axes.joints()) {
    for (const Symbol s : symbols_of(joint.rotation.entries())) {
      if (s.role() == Role::parameter || s.role() == Role::constant) continue;
      reading.fail(*item, Error("wrong-direction", fmt::format("`{}` depends on `{}`", item->key, s.name()),
                                "a joint sits in its bodies without moving", "use numbers and parameters"));
    }
  }
  return axes;
}

Matrix constant_point(const Reading& reading, const Toml* item) {
  if (item == nullptr) return {3, 1};
  const Matrix v = reading.vector(*item, 3);
  for (const Symbol s : symbols_of(v.entries())) {
    if (s.role() == Role::parameter || s.role() == Role::constant) continue;
    reading.fail(*item, Error("wrong-direction", fmt::format("`{}` depends on `{}`", item->key, s.name()),
                              "a joint sits in its bodies without moving",
                              "use numbers and parameters; add a prismatic joint for what slides"));
  }
  return v;
}

void require_axis_is_wanted(const Reading& reading, const PlannedJoint& joint, const char* key, Along along) {
  const Toml* item = joint.item->find(key);
  if (item == nullptr || joint.kind->has(along)) return;
  reading.fail_at_key(*item,
                      Error("conflicting-keys", fmt::format("a {} joint has no `{}`", joint.kind->name, key),
                            std::string(joint.kind->about), "leave it out"));
}

std::vector<Displacement> of_axes(const Attitude& axes) {
  std::vector<Displacement> all;
  for (const Joint& joint : axes.joints()) all.push_back(rotation(joint));
  return all;
}

/// The motion that a freedom of a joint allows, with its coordinate for the amount.
Displacement motion_of(const Reading& reading, const PlannedJoint& joint, const JointPlacement& place,
                       std::size_t k) {
  const Freedom& freedom = joint.kind->freedoms[k];
  const std::string& name = joint.coordinates[k];
  if (freedom.kind != Freedom::Kind::rotation) {
    const Expr q = parse(name, reading.system.scope);
    const Matrix along = place.direction(freedom.along);
    return freedom.kind == Freedom::Kind::shift ? shift(along, q) : turn(along, q);
  }
  for (const Factor& factor : reading.system.space.factors()) {
    if (factor.name != name) continue;
    const std::vector<Expr> Omega(factor.velocities.begin(), factor.velocities.begin() + 3);
    return rotation({factor.rotation(), Matrix::column(Omega), -1});
  }
  throw Bug("a joint without its rotation");
}

}  // namespace

JointPlacement placement_of(const Reading& reading, const PlannedJoint& joint) {
  const Toml& item = *joint.item;
  require_axis_is_wanted(reading, joint, "axis", Along::axis);
  require_axis_is_wanted(reading, joint, "second_axis", Along::second_axis);
  JointPlacement place;
  place.at_parent = constant_point(reading, item.find("at"));
  place.at_child = constant_point(reading, item.find("child_at"));
  place.parent_axes = constant_axes(reading, item.find("rotation"));
  place.child_axes = constant_axes(reading, item.find("child_rotation"));
  place.axis = unit_vector(2);
  if (const Toml* axis = item.find("axis")) place.axis = reading.direction(*axis);
  std::tie(place.first_normal, place.second_normal) = normals_of(place.axis);
  place.second_axis = place.first_normal;
  if (const Toml* second = item.find("second_axis")) {
    place.second_axis = reading.direction(*second);
    const Matrix across = cross(place.axis, place.second_axis);
    if (vanishes_at_random_points(dot(across, across)))
      reading.fail(*second, Error("wrong-direction", "both axes of this joint are the same",
                                  "a universal joint turns about two different axes",
                                  "give another axis, or write a revolute joint"));
  }
  return place;
}

std::vector<Displacement> displacements(const Reading& reading, const PlannedJoint& joint) {
  const JointPlacement place = placement_of(reading, joint);
  std::vector<Displacement> all{shift(place.at_parent, Expr(1))};
  const auto append = [&](const std::vector<Displacement>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  append(of_axes(place.parent_axes));
  for (std::size_t k = 0; k < joint.kind->freedoms.size(); ++k)
    all.push_back(motion_of(reading, joint, place, k));
  append(inverse(of_axes(place.child_axes)));
  all.push_back(shift(place.at_child, Expr(-1)));
  return all;
}

namespace {

/// The pose with one rotation matrix in place of a long product, so that a chain of n joints costs O(n): every further product would
/// begin from the root.
Pose with_few_turns(Pose pose) {
  const Attitude attitude = pose.attitude();
  if (attitude.joints().size() <= search_limits::joints_of_one_product.count) return pose;
  Matrix R(3, 3);
  for (int k = 0; k < 3; ++k) {
    const Matrix column = pose.turned(unit_vector(k));
    for (int i = 0; i < 3; ++i) R(i, k) = column[i];
  }
  return {pose.position(), Attitude({Joint{R, attitude.w_SB_B(), -1}})};
}

std::string_view noun_of(Freedom::Kind kind) {
  return kind == Freedom::Kind::shift ? "length" : kind == Freedom::Kind::turn ? "angle" : "rotation";
}

void place_by_joint(Reading& reading, const PlannedJoint& joint) {
  const std::vector<Displacement> forward = displacements(reading, joint);
  Pose pose = joint.inner() == ground ? Pose() : reading.poses.at(joint.inner());
  pose.move(joint.reversed ? inverse(forward) : forward, reading.system.space);
  reading.poses.emplace(joint.outer(), with_few_turns(std::move(pose)));
}

/// Joints and contacts, each as soon as the body it starts from has its place.
void place_in_turn(Reading& reading) {
  const JointPlan& plan = *reading.joints;
  const auto is_known = [&](const std::string& body) {
    return body == ground || reading.poses.contains(body);
  };
  for (bool progress = true; progress;) {
    progress = false;
    for (const PlannedContact& contact : plan.contacts) {
      if (!contact.places_body || is_known(contact.body) || !is_known(contact.on)) continue;
      place_by_contact(reading, contact);
      progress = true;
    }
    for (const std::size_t k : plan.placement) {
      const PlannedJoint& joint = plan.joints[k];
      if (is_known(joint.outer()) || !is_known(joint.inner())) continue;
      place_by_joint(reading, joint);
      progress = true;
    }
  }
  for (const PlannedContact& contact : plan.contacts) {
    if (!contact.places_body || is_known(contact.body)) continue;
    reading.fail_at_key(
        *contact.item,
        Error("unplaced-body", fmt::format("nothing says where the body `{}` is", contact.body),
              fmt::format("its contact places it on `{}`, of which the same is true", contact.on),
              fmt::format("add a joint: [joints.{0}_joint] kind = \"free\", child = \"{0}\"", contact.on)));
  }
}

}  // namespace

void place_bodies(Reading& reading) {
  const JointPlan& plan = *reading.joints;
  place_in_turn(reading);
  for (const PlannedJoint& joint : plan.joints) {
    JointSummary summary{
        joint.name, std::string(joint.kind->name), joint.parent, joint.child, {}, !joint.in_tree, {}, 0};
    for (std::size_t k = 0; joint.in_tree && k < joint.coordinates.size(); ++k)
      summary.coordinates.push_back(
          fmt::format("{} {}", noun_of(joint.kind->freedoms[k].kind), joint.coordinates[k]));
    reading.machine->joints.push_back(std::move(summary));
  }
}

namespace {

/// The joints of the tree on the way from the body to its root, and that root.
std::pair<std::vector<std::size_t>, std::string> way_to_root(const JointPlan& plan, std::string body) {
  std::vector<std::size_t> way;
  for (bool found = true; found;) {
    found = false;
    for (const std::size_t k : plan.placement) {
      if (plan.joints[k].outer() != body) continue;
      way.push_back(k);
      body = plan.joints[k].inner();
      found = true;
      break;
    }
  }
  return {way, body};
}

Pose pose_along(const Reading& reading, const std::vector<std::size_t>& way_down) {
  Pose pose;
  for (const std::size_t k : way_down) {
    const PlannedJoint& joint = reading.joints->joints[k];
    const std::vector<Displacement> forward = displacements(reading, joint);
    pose.move(joint.reversed ? inverse(forward) : forward, reading.system.space);
  }
  return pose;
}

}  // namespace

PosePair poses_in_loop(const Reading& reading, const PlannedJoint& joint) {
  auto [up_parent, root_of_parent] = way_to_root(*reading.joints, joint.parent);
  auto [up_child, root_of_child] = way_to_root(*reading.joints, joint.child);
  const auto in_space = [&](const std::string& body) {
    return body == ground ? Pose() : reading.poses.at(body);
  };
  if (root_of_parent != root_of_child) return {in_space(joint.parent), in_space(joint.child)};
  while (!up_parent.empty() && !up_child.empty() && up_parent.back() == up_child.back()) {
    up_parent.pop_back();
    up_child.pop_back();
  }
  std::reverse(up_parent.begin(), up_parent.end());
  std::reverse(up_child.begin(), up_child.end());
  return {pose_along(reading, up_parent), pose_along(reading, up_child)};
}

}  // namespace rattleback
