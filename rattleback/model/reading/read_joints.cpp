// Declared in model/reading/joints.hpp and model/reading/reading.hpp. [joints]: the spanning tree, its coordinates and the poses it gives to bodies.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/system/machine.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

using Along = Freedom::Along;

/// Keys that say something about the coordinates of a joint.
constexpr std::array coordinate_keys{"coordinates", "stiffness",  "damping", "drive",
                                     "body_rate",   "space_rate", "limits",  "stop"};

std::vector<std::string> body_names(const Reading& reading) {
  std::vector<std::string> names{ground};
  if (const Toml* bodies = reading.section("bodies"))
    for (const Toml& body : bodies->items) names.push_back(body.key);
  return names;
}

std::string body_name(const Reading& reading, const Toml& item, const std::vector<std::string>& names) {
  const std::string& name = reading.text(item);
  if (std::find(names.begin(), names.end(), name) != names.end()) return name;
  const auto close = nearest(name, names);
  reading.fail(item, Error("unknown-body", fmt::format("there is no body `{}`", name),
                           "a joint connects two bodies, or a body and \"ground\"",
                           close.empty() ? fmt::format("add a section [bodies.{}]", name)
                                         : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
}

const JointKind& joint_kind_of(const Reading& reading, const Toml& item) {
  const std::string& name = reading.text(item);
  if (const JointKind* kind = joint_kind(name)) return *kind;
  std::vector<std::string> names;
  for (const JointKind& k : joint_kinds()) names.emplace_back(k.name);
  const auto close = nearest(name, names);
  reading.fail(item, Error("unknown-joint", fmt::format("`{}` is not a kind of joint", name),
                           fmt::format("joints are {}", fmt::join(names, ", ")),
                           close.empty() ? "name one of these kinds"
                                         : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
}

/// NAME for a single coordinate and for a rotation, NAME_1, NAME_2, … for others, unless they are given.
std::vector<std::string> coordinate_names(const Reading& reading, const Toml& item, const JointKind& kind) {
  const std::size_t n = kind.freedoms.size();
  const Toml* given = item.find("coordinates");
  if (given == nullptr) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < n; ++k) {
      const bool alone = n == 1 || kind.freedoms[k].kind == Freedom::Kind::rotation;
      names.push_back(alone ? item.key : fmt::format("{}_{}", item.key, k + 1));
    }
    return names;
  }
  const std::vector<std::string> names =
      given->is(Toml::Kind::string) ? std::vector{reading.text(*given)} : reading.texts(*given);
  if (names.size() != n) {
    reading.fail(*given, Error("wrong-count",
                               fmt::format("{} name{} for the coordinates of a {} joint, which has {}",
                                           names.size(), names.size() == 1 ? "" : "s", kind.name, n),
                               std::string(kind.about), fmt::format("give {}", n)));
  }
  return names;
}

PlannedJoint planned(const Reading& reading, const Toml& item, const std::vector<std::string>& bodies) {
  reading.require(item, Toml::Kind::table, fmt::format("a section [joints.{}]", item.key));
  require_known_keys(reading.source(), item, "joints.*");
  reading.require_name(item.key, reading.place_of_key(item));
  PlannedJoint joint;
  joint.item = &item;
  joint.name = item.key;
  joint.kind = &joint_kind_of(reading, reading.required(item, "kind", "\"revolute\""));
  const Toml* parent = item.find("parent");
  joint.parent = parent == nullptr ? ground : body_name(reading, *parent, bodies);
  const Toml& child = reading.required(item, "child", "\"arm\"");
  joint.child = body_name(reading, child, bodies);
  if (joint.parent == joint.child)
    reading.fail(child, Error("conflicting-keys", fmt::format("`{}` is joined to itself", joint.child), "",
                              "name two different bodies, or \"ground\""));
  joint.coordinates = coordinate_names(reading, item, *joint.kind);
  const bool counted =
      item.find("stiffness") != nullptr || item.find("drive") != nullptr || item.find("limits") != nullptr;
  joint.on_line.assign(joint.kind->freedoms.size(), counted);
  return joint;
}

/// Sets of bodies that joints connect.
class Connected {
 public:
  std::string root(const std::string& body) const {
    const auto above = above_.find(body);
    return above == above_.end() ? body : root(above->second);
  }
  /// False when they were connected already.
  bool connect(const std::string& a, const std::string& b) {
    const std::string p = root(a), q = root(b);
    if (p == q) return false;
    above_[p] = q;
    return true;
  }

 private:
  std::map<std::string, std::string> above_;
};

/// Which bodies joints and positions hold, for contacts that place the others.
class GroundedBodies final : public Placement {
 public:
  GroundedBodies(const std::vector<PlannedJoint>& joints, const std::set<std::string>& placed) {
    for (const std::string& body : placed) connected_.connect(body, ground);
    for (const PlannedJoint& j : joints) connected_.connect(j.parent, j.child);
  }
  bool is_placed(const std::string& body) const override { return are_joined(body, ground); }
  bool are_joined(const std::string& a, const std::string& b) const override {
    return connected_.root(a) == connected_.root(b);
  }
  void place(const std::string& body) override { connected_.connect(body, ground); }

 private:
  Connected connected_;
};

/// Kruskal's spanning tree: joints with springs, drives or named coordinates belong to it, then those with few
/// freedoms, so that a loop is cut where the fewest coordinates and constraints remain.
void choose_tree(std::vector<PlannedJoint>& joints, const std::set<std::string>& placed) {
  const auto named = [](const PlannedJoint& j) {
    return std::any_of(coordinate_keys.begin(), coordinate_keys.end(),
                       [&](const char* key) { return j.item->find(key) != nullptr; });
  };
  std::vector<std::size_t> order(joints.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto rank = [&](std::size_t k) { return std::pair(!named(joints[k]), joints[k].kind->degrees()); };
    return rank(a) < rank(b);
  });
  Connected connected;
  for (const std::string& body : placed) connected.connect(body, ground);
  for (const std::size_t k : order) joints[k].in_tree = connected.connect(joints[k].parent, joints[k].child);
}

void require_no_coordinate_keys(const Reading& reading, const PlannedJoint& joint) {
  for (const char* key : coordinate_keys) {
    const Toml* item = joint.item->find(key);
    if (item == nullptr) continue;
    reading.fail_at_key(
        *item,
        Error("no-joint-coordinate",
              fmt::format("`{}` of joint `{}`, which closes a loop and has no coordinate", key, joint.name),
              "one joint of every loop is cut; its conditions are constraints on the other coordinates",
              "leave one joint of the loop without `coordinates`, `stiffness`, `damping` and `drive`"));
  }
}

/// From the roots outwards, in the order of the file.
std::vector<std::size_t> order_of_placement(std::vector<PlannedJoint>& joints, std::set<std::string> placed) {
  std::vector<std::size_t> order;
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t k = 0; k < joints.size(); ++k) {
      PlannedJoint& j = joints[k];
      if (!j.in_tree || std::find(order.begin(), order.end(), k) != order.end()) continue;
      if (!placed.contains(j.parent) && !placed.contains(j.child)) continue;
      j.reversed = !placed.contains(j.parent);
      placed.insert(j.outer());
      order.push_back(k);
      progress = true;
    }
  }
  return order;
}

void require_placed(const Reading& reading, const JointPlan& plan) {
  std::set<std::string> outer;
  for (const std::size_t k : plan.placement) outer.insert(plan.joints[k].outer());
  const Toml* bodies = reading.section("bodies");
  for (std::size_t i = 0; bodies != nullptr && i < bodies->items.size(); ++i) {
    const Toml& body = bodies->items[i];
    if (body.find("position") != nullptr || outer.contains(body.key) || plan.is_placed_by_contact(body.key))
      continue;
    reading.fail_at_key(
        body, Error("unplaced-body", fmt::format("nothing says where the body `{}` is", body.key),
                    "it has no `position`, no contact, and no chain of joints leads from it to the ground",
                    fmt::format("add position = \"[x, y, z]\", or a joint: [joints.{0}_joint] kind = "
                                "\"free\", child = \"{0}\"",
                                body.key)));
  }
}

std::string_view noun_of(Freedom::Kind kind) {
  return kind == Freedom::Kind::shift ? "length" : kind == Freedom::Kind::turn ? "angle" : "rotation";
}

}  // namespace

void plan_joints(Reading& reading) {
  const Toml* section = reading.section("joints");
  auto plan = std::make_shared<JointPlan>();
  reading.machine = std::make_shared<Machine>();
  if (section != nullptr) {
    const std::vector<std::string> bodies = body_names(reading);
    if (const Toml* all = reading.section("bodies")) {
      if (const Toml* called = all->find(ground))
        reading.fail_at_key(*called, Error("reserved-name", "a body called `ground`",
                                           "joints call the unmoved space so", "choose another name"));
    }
    for (const Toml& item : section->items) plan->joints.push_back(planned(reading, item, bodies));
  }
  std::set<std::string> placed{ground};
  if (const Toml* all = reading.section("bodies"))
    for (const Toml& body : all->items)
      if (body.is(Toml::Kind::table) && body.find("position") != nullptr) placed.insert(body.key);
  GroundedBodies grounded(plan->joints, placed);
  plan->contacts = planned_contacts(reading, grounded);
  for (const PlannedContact& c : plan->contacts)
    if (c.places_body) placed.insert(c.body);
  if (section != nullptr) {
    choose_tree(plan->joints, placed);
    for (const PlannedJoint& joint : plan->joints)
      if (!joint.in_tree) require_no_coordinate_keys(reading, joint);
    plan->placement = order_of_placement(plan->joints, placed);
    require_placed(reading, *plan);
  }
  reading.joints = std::move(plan);
}

void add_joint_coordinates(Reading& reading, std::vector<Factor>& factors) {
  for (const PlannedJoint& joint : reading.joints->joints) {
    if (!joint.in_tree) continue;
    const Toml* given = joint.item->find("coordinates");
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
      const int order = static_cast<int>(factors.size());
      const std::string& name = joint.coordinates[k];
      const Place place = given == nullptr                ? reading.place_of_key(*joint.item)
                          : given->is(Toml::Kind::string) ? reading.place(*given)
                                                          : reading.place(given->items[k]);
      if (joint.kind->freedoms[k].kind != Freedom::Kind::rotation) {
        const bool circle = joint.kind->freedoms[k].kind == Freedom::Kind::turn && !joint.on_line[k];
        factors.push_back(named_coordinate(reading, name, circle, place, order));
        continue;
      }
      const auto rate = [&](const char* key, const char* suffix) {
        const Toml* item = joint.item->find(key);
        return item == nullptr ? name + suffix : reading.text(*item);
      };
      factors.push_back(named_rotation(
          reading, {name, rate("body_rate", "_Omega"), rate("space_rate", "_omega")}, place, order));
    }
  }
}

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

bool JointPlan::is_placed_by_contact(const std::string& body) const {
  return std::ranges::any_of(contacts,
                             [&](const PlannedContact& c) { return c.places_body && c.body == body; });
}

std::vector<std::string> JointPlan::joined_with(const std::string& body) const {
  std::vector<std::string> all{body};
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const PlannedJoint& j : joints)
      for (const std::string& other : {j.parent, j.child})
        if ((j.parent == all[k] || j.child == all[k]) && other != ground &&
            std::find(all.begin(), all.end(), other) == all.end())
          all.push_back(other);
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
