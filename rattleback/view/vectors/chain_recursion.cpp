#include <rattleback/view/vectors/chain_recursion.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/motion/programs/articulated.hpp>
#include <rattleback/motion/programs/articulated_frames.hpp>

namespace rattleback {
namespace {

constexpr std::size_t fewest_links = legible::links_of_a_recursion.count,
                      fewest_spherical = legible::spherical_links_of_a_recursion.count;

/// One freedom, or the three of a spherical joint, with the arm that leads there.
struct ChainJoint {
  Matrix arm = Matrix(3, 1), turn = Matrix(3, 1), shift = Matrix(3, 1);
  std::vector<int> legs;
  const JointFrame* body = nullptr;  ///< none: nothing sits between this freedom and the next
};

/// The frames as a chain of single freedoms; empty when they are anything else.
class ChainOfFrames {
 public:
  explicit ChainOfFrames(const Space& space) : space_(space) {}

  std::vector<ChainJoint> joints(const std::vector<JointFrame>& frames) {
    for (std::size_t k = 0; k < frames.size(); ++k) {
      if (frames[k].parent != static_cast<int>(k) - 1 ||
          !(frames[k].turns() ? add_turn(frames[k]) : add_shift(frames[k])))
        return {};
    }
    return chain_;
  }

 private:
  bool add_turn(const JointFrame& frame) {
    if (frame.freedoms() != 1 && frame.freedoms() != 3) return false;
    ChainJoint joint;
    joint.arm = std::exchange(arm_, Matrix(3, 1));
    if (frame.freedoms() == 1) joint.turn = frame.directions;
    if (frame.freedoms() == 3 && !(frame.directions == Matrix::identity(3))) return false;
    joint.legs = frame.legs;
    joint.body = &frame;
    chain_.push_back(std::move(joint));
    return true;
  }

  /// arm + Σ q_j direction_j, one freedom after the other.
  bool add_shift(const JointFrame& frame) {
    SymbolMap zero;
    for (const int leg : frame.legs)
      if (const auto q = space_.coordinate(leg)) zero.emplace(*q, Expr(0));
    arm_ = arm_ + substitute(frame.arm, zero);
    if (frame.freedoms() == 0) return frame.mass.is_zero();
    for (int j = 0; j < frame.freedoms(); ++j) {
      ChainJoint joint;
      joint.arm = std::exchange(arm_, Matrix(3, 1));
      joint.shift = frame.directions.column(j);
      joint.legs = {frame.legs[static_cast<std::size_t>(j)]};
      if (j + 1 == frame.freedoms()) joint.body = &frame;
      chain_.push_back(std::move(joint));
    }
    return true;
  }

  const Space& space_;
  Matrix arm_ = Matrix(3, 1);
  std::vector<ChainJoint> chain_;
};

bool is_null(const Matrix& m) {
  return std::ranges::all_of(m.entries(), [](Expr e) { return e.is_zero(); });
}

/// Nothing when spherical joints and others follow each other.
std::optional<ChainRecursion::Kind> kind_of(const std::vector<ChainJoint>& chain) {
  using Kind = ChainRecursion::Kind;
  const auto count = [&](auto is) { return static_cast<std::size_t>(std::ranges::count_if(chain, is)); };
  const std::size_t spherical = count([](const ChainJoint& j) { return j.legs.size() == 3; });
  if (spherical > 0) return spherical == chain.size() ? std::optional(Kind::spherical) : std::nullopt;
  const std::size_t turns = count([](const ChainJoint& j) { return !is_null(j.turn); });
  return turns == chain.size() ? Kind::revolute : Kind::mixed;
}

/// q_i for the coordinate and q_i' for the velocity of a joint; Omega_i[k] for those of a spherical one.
SymbolMap own_names(const ChainJoint& joint, const Space& space, const std::string& angle) {
  SymbolMap names;
  for (std::size_t k = 0; k < joint.legs.size(); ++k) {
    const Symbol velocity = space.velocities()[static_cast<std::size_t>(joint.legs[k])];
    if (joint.legs.size() == 3) {
      put_name(names, velocity, fmt::format("{}_i[{}]", angle, k + 1));
      continue;
    }
    put_name(names, *space.coordinate(joint.legs[k]), angle + "_i");
    put_name(names, velocity, angle + "_i'");
  }
  return names;
}

/// Coordinates of the joints, or the rotations of spherical ones.
std::vector<std::string> names_of(const std::vector<ChainJoint>& chain, const Space& space) {
  std::vector<std::string> names;
  for (const ChainJoint& joint : chain) {
    const Symbol velocity = space.velocities()[static_cast<std::size_t>(joint.legs[0])];
    const auto is_this = [&](const Factor& f) { return f.velocities[0] == velocity; };
    const auto f = std::ranges::find_if(space.factors(), is_this);
    names.push_back(joint.legs.size() == 3 ? f->name : space.coordinate(joint.legs[0])->name());
  }
  return names;
}

/// The letter of the coordinates and the number of the first, when they are q1, q2, … in this order.
std::optional<NumberedName> common_letter(const std::vector<ChainJoint>& chain, const Space& space) {
  std::optional<NumberedName> first;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const auto q = space.coordinate(chain[k].legs[0]);
    const auto parts = q ? numbered_name(q->name()) : std::nullopt;
    if (!parts) return std::nullopt;
    if (!first) first = parts;
    if (parts->base != first->base || parts->number != first->number + static_cast<int>(k))
      return std::nullopt;
  }
  return first;
}

}  // namespace

std::optional<ChainRecursion> chain_recursion(const System& system) {
  if (!system.constraints.empty() || !system.velocities.empty() || system.parametrization)
    return std::nullopt;
  const auto tree = joint_tree_of(system);
  if (!tree || tree->links.size() < 2) return std::nullopt;
  const auto frames = joint_frames(*tree, system.space);
  if (!frames) return std::nullopt;
  const std::vector<ChainJoint> chain = ChainOfFrames(system.space).joints(frames->frames);
  const auto kind = chain.empty() ? std::nullopt : kind_of(chain);
  if (!kind) return std::nullopt;
  const bool spherical = *kind == ChainRecursion::Kind::spherical,
             mixed = *kind == ChainRecursion::Kind::mixed;
  std::size_t freedoms = 0;
  for (const ChainJoint& joint : chain) freedoms += joint.legs.size();
  if (chain.size() < (spherical ? fewest_spherical : fewest_links) ||
      static_cast<int>(freedoms) != system.space.dimension())
    return std::nullopt;
  ChainRecursion found;
  found.kind = *kind;
  const auto letter = common_letter(chain, system.space);
  found.angle = spherical ? "Omega" : letter ? letter->base : "q";
  if (spherical || !letter)
    found.coordinates = listed_by_index(spherical ? "R" : "q", 1, names_of(chain, system.space));
  found.first = letter && !spherical ? letter->number : 1;
  found.last = found.first + static_cast<int>(chain.size()) - 1;
  found.gravity = tree->gravity;
  const std::vector<Expr> tau = forces_on_joints(system, *tree, {});
  std::vector<std::pair<std::string, std::vector<std::string>>> columns;
  for (const char* name : {"e", "t", mixed ? "l" : "r", "m", "h", "I", "tau"})
    columns.emplace_back(name, std::vector<std::string>{});
  for (std::size_t k = 0; k < chain.size(); ++k) {
    const ChainJoint& joint = chain[k];
    IndexedFormulas in_i(found.first + static_cast<int>(k), own_names(joint, system.space, found.angle));
    columns[0].second.push_back(in_i(joint.turn));
    columns[1].second.push_back(in_i(joint.shift));
    columns[2].second.push_back(in_i(joint.arm));
    columns[3].second.push_back(in_i(joint.body != nullptr ? joint.body->mass : Expr(0)));
    columns[4].second.push_back(in_i(joint.body != nullptr ? joint.body->moment : Matrix(3, 1)));
    columns[5].second.push_back(in_i(joint.body != nullptr ? joint.body->inertia : Matrix(3, 3)));
    Matrix torque(3, 1);
    for (std::size_t j = 0; j < joint.legs.size(); ++j)
      torque[static_cast<int>(j)] = tau[static_cast<std::size_t>(joint.legs[j])];
    columns[6].second.push_back(spherical ? in_i(torque) : in_i(torque[0]));
  }
  for (const auto& [name, values] : columns) {
    if ((name == "e" && spherical) || (name == "t" && !mixed)) continue;
    LinkQuantity quantity{name, grouped_by_index(name, values, found.first)};
    if (quantity.values.empty()) return std::nullopt;
    found.links.push_back(std::move(quantity));
  }
  return found;
}

}  // namespace rattleback
