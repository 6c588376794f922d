// Declared in model/reading/joints.hpp and model/reading/reading.hpp. [joints]: the spanning tree of the joints, and its coordinates.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace rattleback
