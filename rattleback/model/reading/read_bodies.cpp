// Declared in model/reading/reading.hpp. [bodies]: rigid bodies and their energies.
#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/body_shape.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/reading/reading.hpp>
#include <rattleback/model/system/joint_tree.hpp>
#include <rattleback/model/text/keys.hpp>

namespace rattleback {
namespace {

bool vanishes(Expr e) { return e.is_zero() || vanishes_at_random_points(e); }

Matrix inertia_matrix(const Reading& reading, const Toml& item) {
  const Value value = reading.value(item);
  if (const auto* m = std::get_if<Matrix>(&value); m != nullptr && m->is_column() && m->rows() == 3)
    return Matrix::diagonal(m->entries());
  Matrix inertia = reading.matrix(item, 3);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) {
      if (!vanishes(inertia(i, j) - inertia(j, i))) {
        reading.fail(item, Error("not-symmetric", "this inertia matrix is not symmetric",
                                 fmt::format("the entries [{0},{1}] and [{1},{0}] differ", i + 1, j + 1),
                                 "write products of inertia on both sides of the diagonal"));
      }
    }
  }
  return inertia;
}

/// The pose that `position` and `rotation` give.
Pose stated_pose(const Reading& reading, const Toml& item) {
  const Toml &position = *item.find("position"), *rotation = item.find("rotation");
  const Matrix r = reading.vector(position, 3);
  for (const Expr e : r.entries()) {
    if (has_velocities(e))
      reading.fail(position, Error("velocity-not-allowed", "a position that depends on velocities", "",
                                   "use the coordinates"));
  }
  return {r, rotation == nullptr ? Attitude() : read_attitude(reading, *rotation)};
}

/// A body of which only its pose is missing.
RigidBody read_body(Reading& reading, const Toml& item) {
  reading.require(item, Toml::Kind::table, fmt::format("a section [bodies.{}]", item.key));
  require_known_keys(reading.source(), item, "bodies.*");
  RigidBody body;
  body.name = item.key;
  body.place = reading.place_of_key(item);
  Matrix center(3, 1);
  const Toml *shape = item.find("shape"), *inertia = item.find("inertia"), *density = item.find("density");
  if (shape != nullptr) {
    if (inertia != nullptr)
      reading.fail_at_key(*inertia, Error("conflicting-keys", "both `shape` and `inertia` are given",
                                          "a shape has its inertia", "keep one of them"));
    const MassDistribution all = mass_distribution(reading, item);
    body.mass = all.mass;
    body.inertia = all.inertia;
    center = all.center;
  } else {
    if (density != nullptr)
      reading.fail_at_key(*density, Error("conflicting-keys", "`density` without `shape`", "",
                                          "add shape = { ball = \"R\" }, or give `mass` and `inertia`"));
    body.mass = reading.scalar(reading.required(item, "mass", "\"m\""));
    if (inertia != nullptr) body.inertia = inertia_matrix(reading, *inertia);
  }
  if (const Toml* given = item.find("center")) center = center + reading.vector(*given, 3);
  if (item.find("position") != nullptr) {
    if (body.inertia.rows() > 0) reading.required(item, "rotation", "\"B\"");
    reading.poses.emplace(item.key, stated_pose(reading, item));
  } else if (item.find("rotation") != nullptr ||
             (reading.section("joints") == nullptr && !reading.joints->is_placed_by_contact(item.key))) {
    reading.required(item, "position", "\"[x, y, z]\"");
  }
  reading.mass_centers.emplace(item.key, center);
  return body;
}

/// G is where the mass centre lies in the body.
void place_body(const Reading& reading, RigidBody& body) {
  const Pose& pose = reading.poses.at(body.name);
  body.r_G_S = pose.at(reading.mass_centers.at(body.name));
  body.attitude = pose.attitude();
}

/// All velocities in one sweep: what the positions of a chain share is differentiated once.
void find_velocities(System& system) {
  std::vector<Expr> positions;
  for (const RigidBody& body : system.bodies)
    positions.insert(positions.end(), body.r_G_S.entries().begin(), body.r_G_S.entries().end());
  SymbolMap motion = system.space.motion();
  motion.emplace(system.time, Expr(1));
  const std::vector<Expr> rates = derivative_along(positions, motion);
  for (std::size_t k = 0; k < system.bodies.size(); ++k)
    system.bodies[k].v_G_S = Matrix::column(std::span(rates).subspan(3 * k, 3));
}

/// The tree of joints, where joints place every body.
void keep_tree(Reading& reading, const Matrix& gravity) {
  System& system = reading.system;
  std::map<std::string, int> numbers;
  for (const RigidBody& body : system.bodies) numbers.emplace(body.name, static_cast<int>(numbers.size()));
  JointTree tree{std::vector<Link>(system.bodies.size()), gravity, *system.kinetic, *system.potential};
  std::size_t placed = 0;
  for (const std::size_t k : reading.joints->placement) {
    const PlannedJoint& joint = reading.joints->joints[k];
    const int number = numbers.at(joint.outer());
    const RigidBody& body = system.bodies[static_cast<std::size_t>(number)];
    const std::vector<Displacement> forward = displacements(reading, joint);
    tree.links[static_cast<std::size_t>(number)] = {
        joint.inner() == ground ? -1 : numbers.at(joint.inner()), joint.reversed ? inverse(forward) : forward,
        body.mass, reading.mass_centers.at(body.name), body.inertia.rows() > 0 ? body.inertia : Matrix(3, 3)};
    ++placed;
  }
  if (placed == system.bodies.size()) keep_joint_tree(system, tree);
}

}  // namespace

Attitude read_attitude(const Reading& reading, const Toml& item) {
  reading.text(item);
  const Matrix R = reading.matrix(item, 3);
  if (auto product = attitude_of_product(reading.syntax(item), reading.system.scope, reading.system.space,
                                         reading.attitudes))
    return std::move(*product);
  try {
    return attitude_of_matrix(R, reading.system.space);
  } catch (Error& error) {
    error.at(reading.place(item));
    throw;
  }
}

/// Acceleration of free fall: `gravity` times `down`, or `gravity` itself where it is a vector.
struct FreeFall {
  Expr size;
  Matrix up;
};
std::optional<FreeFall> read_gravity(const Reading& reading, const Toml* gravity, const Toml* down) {
  if (gravity == nullptr) return std::nullopt;
  const Value value = reading.value(*gravity);
  const auto* vector = std::get_if<Matrix>(&value);
  if (vector == nullptr || vector->rows() != 3 || !vector->is_column())
    return FreeFall{reading.scalar(*gravity), down == nullptr ? unit_vector(2) : -reading.direction(*down)};
  if (down != nullptr)
    reading.fail_at_key(*down, Error("conflicting-keys", "both a vector `gravity` and `down` are given",
                                     "the vector has a direction of its own", "keep one of them"));
  for (const Symbol s : symbols_of(vector->entries()))
    if (s.role() != Role::parameter && s.role() != Role::constant)
      reading.fail(*gravity, Error("wrong-direction", fmt::format("`gravity` depends on `{}`", s.name()),
                                   "gravity is constant in space", "use numbers and parameters only"));
  return FreeFall{Expr(1), -*vector};
}

void read_bodies(Reading& reading) {
  const Toml* section = reading.section("bodies");
  const Toml *gravity = reading.root().find("gravity"), *down = reading.root().find("down");
  if (section == nullptr || section->items.empty()) {
    if (gravity != nullptr)
      reading.fail_at_key(*gravity, Error("conflicting-keys", "`gravity` without [bodies]",
                                          "gravity acts on the bodies of [bodies]",
                                          "add the weight to the Lagrangian or the potential by hand"));
    return;
  }
  System& system = reading.system;
  const auto fall = read_gravity(reading, gravity, down);
  Expr kinetic, potential;
  for (const Toml& item : section->items) system.bodies.push_back(read_body(reading, item));
  place_bodies(reading);
  for (RigidBody& body : system.bodies) place_body(reading, body);
  find_velocities(system);
  for (const RigidBody& body : system.bodies) {
    kinetic += kinetic_energy(body);
    if (fall) potential += body.mass * fall->size * dot(fall->up, body.r_G_S);
  }
  system.kinetic = kinetic;
  system.potential = potential;
  keep_tree(reading, fall ? -(fall->size * fall->up) : Matrix(3, 1));
}

}  // namespace rattleback
