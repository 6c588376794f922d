// Declared in model/reading/reading.hpp. Springs, dampers and drives of [joints].
#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/expression/switching.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/system/input_law.hpp>

namespace rattleback {
namespace {

/// One value per coordinate of the joint: an array gives them, a scalar is meant for each.
std::vector<std::pair<Expr, const Toml*>> values_of(const Reading& reading, const PlannedJoint& joint,
                                                    const Toml& item) {
  std::vector<std::pair<Expr, const Toml*>> values;
  const std::size_t n = joint.coordinates.size();
  if (!item.is(Toml::Kind::array)) {
    values.assign(n, {reading.scalar(item), &item});
    return values;
  }
  if (item.items.size() != n)
    reading.fail(item, Error("wrong-count",
                             fmt::format("{} values for the {} coordinate{} of joint `{}`", item.items.size(),
                                         n, n == 1 ? "" : "s", joint.name),
                             "", "give one value for each coordinate, or one for all"));
  for (const Toml& part : item.items) values.emplace_back(reading.scalar(part), &part);
  return values;
}

bool is_rotation(const PlannedJoint& joint, std::size_t k) {
  return joint.kind->freedoms[k].kind == Freedom::Kind::rotation;
}

/// k/2 (q − q0)²; of a rotation k/2 (3 − tr B) = k (1 − cos θ), θ its angle.
void add_springs(Reading& reading, const PlannedJoint& joint) {
  const Toml *stiffness = joint.item->find("stiffness"), *rest = joint.item->find("rest");
  if (stiffness == nullptr) {
    if (rest != nullptr)
      reading.fail_at_key(*rest, Error("conflicting-keys", "`rest` without `stiffness`",
                                       "it is where the joint's spring is relaxed", "add stiffness = \"k\""));
    return;
  }
  System& system = reading.system;
  const auto k = values_of(reading, joint, *stiffness);
  const auto q0 = rest == nullptr ? decltype(k)(joint.coordinates.size(), {Expr(0), nullptr})
                                  : values_of(reading, joint, *rest);
  Expr energy;
  for (std::size_t i = 0; i < joint.coordinates.size(); ++i) {
    if (has_velocities(k[i].first) || has_velocities(q0[i].first))
      reading.fail(*stiffness, Error("velocity-not-allowed", "a spring that depends on velocities", "",
                                     "use `damping`, or [forces]"));
    const Value* q = system.scope.find(joint.coordinates[i]);
    if (!is_rotation(joint, i)) {
      energy += k[i].first / 2 * pow(std::get<Expr>(*q) - q0[i].first, 2);
      continue;
    }
    if (!q0[i].first.is_zero())
      reading.fail(*rest, Error("conflicting-keys", "`rest` of a rotation that is not 0",
                                "the spring of a rotation is relaxed where both bodies have the same axes",
                                "turn the joint in one body with `rotation` or `child_rotation`"));
    const auto& B = std::get<Matrix>(*q);
    energy += k[i].first / 2 * (3 - B(0, 0) - B(1, 1) - B(2, 2));
  }
  system.potential = system.potential.value_or(0) + energy;
}

/// −c q'; of a rotation −c Ω.
void add_dampers(Reading& reading, const PlannedJoint& joint) {
  const Toml* damping = joint.item->find("damping");
  if (damping == nullptr) return;
  System& system = reading.system;
  const auto c = values_of(reading, joint, *damping);
  for (std::size_t i = 0; i < joint.coordinates.size(); ++i) {
    for (const Factor& factor : system.space.factors()) {
      if (factor.name != joint.coordinates[i]) continue;
      const int first = first_leg(system.space, factor);
      for (int leg = first; leg < first + factor.dimension(); ++leg) {
        const auto at = static_cast<std::size_t>(leg);
        system.forces[at] -= c[i].first * system.space.velocities()[at];
      }
    }
  }
}

/// [least, most] for each coordinate, with where it stands: limits = [-1, 1] of a single one, [[-1, 1], []] of two, of which the second has none.
std::vector<std::pair<Matrix, const Toml*>> ranges_of(const Reading& reading, const PlannedJoint& joint,
                                                      const Toml& limits) {
  const std::size_t n = joint.coordinates.size();
  reading.require(limits, Toml::Kind::array, "[-1, 1]");
  std::vector<const Toml*> parts;
  if (n == 1) {
    parts.push_back(&limits);
  } else {
    for (const Toml& part : limits.items) parts.push_back(&part);
    const bool are_pairs = std::ranges::all_of(parts, [](const Toml* p) { return p->is(Toml::Kind::array); });
    if (parts.size() != n || !are_pairs)
      reading.fail(
          limits, Error("wrong-count", fmt::format("limits of `{}`, which has {} coordinates", joint.name, n),
                        "each of them has its own",
                        "write limits = [[-1, 1], [0, 2]], one pair for each, and [] for none"));
  }
  std::vector<std::pair<Matrix, const Toml*>> ranges;
  for (const Toml* part : parts)
    ranges.emplace_back(part->items.empty() ? Matrix() : reading.vector(*part, 2), part);
  return ranges;
}

void require_range(const Reading& reading, const Matrix& ends, const Toml& item) {
  for (const Expr e : ends.entries())
    for (const Symbol s : symbols_of(e))
      if (s.role() != Role::parameter && s.role() != Role::constant)
        reading.fail(item, Error("wrong-type", fmt::format("a limit that depends on `{}`", s.name()), "",
                                 "use numbers and parameters"));
  const Expr width = substitute(ends[1] - ends[0], parameter_values(reading.system));
  if (width.is(Kind::constant) && width.value().sign() <= 0)
    reading.fail(item, Error("not-positive", "limits that do not ascend", "", "write [least, most]"));
}

/// Elastic stops at the ends of a coordinate's range: −k max(q − b, 0) + k max(a − q, 0).
void add_stops(Reading& reading, const PlannedJoint& joint) {
  const Toml *limits = joint.item->find("limits"), *stop = joint.item->find("stop");
  if (limits == nullptr && stop == nullptr) return;
  if (limits == nullptr)
    reading.fail_at_key(*stop,
                        Error("conflicting-keys", "`stop` without `limits`",
                              "it is the stiffness of the stops at the limits", "add limits = [a, b]"));
  const auto k = values_of(reading, joint, reading.required(*joint.item, "stop", "\"1e4\""));
  const auto ranges = ranges_of(reading, joint, *limits);
  System& system = reading.system;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto& [ends, item] = ranges[i];
    if (ends.rows() == 0) continue;
    if (is_rotation(joint, i))
      reading.fail(*item, Error("wrong-count", "limits of a rotation",
                                "a rotation matrix has three angles, which no pair of numbers bounds",
                                "use a universal joint, or a chain of revolute joints"));
    require_range(reading, ends, *item);
    const Expr q = std::get<Expr>(*system.scope.find(joint.coordinates[i]));
    for (const Factor& factor : system.space.factors()) {
      if (factor.name != joint.coordinates[i]) continue;
      const auto leg = static_cast<std::size_t>(first_leg(system.space, factor));
      system.forces[leg] += k[i].first * larger(ends[0] - q, 0) - k[i].first * larger(q - ends[1], 0);
    }
  }
  declare_sign(system);
}

/// q = f(t), a position constraint: its multiplier is the force or torque of the motor.
void add_drive(Reading& reading, const PlannedJoint& joint) {
  const Toml* drive = joint.item->find("drive");
  if (drive == nullptr) return;
  System& system = reading.system;
  const auto f = values_of(reading, joint, *drive);
  for (std::size_t i = 0; i < joint.coordinates.size(); ++i) {
    const Toml& item = *f[i].second;
    if (is_rotation(joint, i))
      reading.fail(item, Error("conflicting-keys", "a drive of a rotation",
                               "a rotation matrix is not driven by one function of time",
                               "use a chain of revolute joints with drives"));
    for (const Symbol s : symbols_of(f[i].first)) {
      if (s == system.time || s.role() == Role::parameter || s.role() == Role::constant) continue;
      reading.fail(item,
                   Error("wrong-type", fmt::format("the drive of `{}` depends on `{}`", joint.name, s.name()),
                         "a drive is a function of time",
                         "use t, numbers and parameters; couple coordinates in [constraints]"));
    }
    const Expr e = std::get<Expr>(*system.scope.find(joint.coordinates[i])) - f[i].first;
    const std::string name = joint.coordinates.size() == 1 ? fmt::format("{}_drive", joint.name)
                                                           : fmt::format("{}_drive_{}", joint.name, i + 1);
    system.constraints.push_back({name, system.space.rate(e), e, reading.place(item), std::nullopt});
  }
}

}  // namespace

void read_joint_springs(Reading& reading) {
  for (const PlannedJoint& joint : reading.joints->joints) add_springs(reading, joint);
}

void read_joint_dampers(Reading& reading) {
  for (const PlannedJoint& joint : reading.joints->joints) {
    add_dampers(reading, joint);
    add_stops(reading, joint);
  }
}

void read_joint_drives(Reading& reading) {
  for (const PlannedJoint& joint : reading.joints->joints) add_drive(reading, joint);
}

}  // namespace rattleback
