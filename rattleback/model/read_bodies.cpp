// Declared in model/reading.hpp. [bodies]: rigid bodies and their energies.
#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/keys.hpp>
#include <rattleback/model/reading.hpp>

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

Attitude attitude(const Reading& reading, const Toml& item) {
  reading.text(item);
  const Matrix R = reading.matrix(item, 3);
  if (auto product = attitude_of_product(reading.syntax(item), reading.system.scope, reading.system.space,
                                         reading.attitudes))
    return std::move(*product);
  try {
    return attitude_of_matrix(R, reading.system.space);
  } catch (Error& error) {
    throw error.at(reading.place(item));
  }
}

RigidBody read_body(const Reading& reading, const Toml& item) {
  const System& system = reading.system;
  reading.require(item, Toml::Kind::table, fmt::format("a section [bodies.{}]", item.key));
  require_known_keys(reading.source(), item, "bodies.*");
  RigidBody body;
  body.name = item.key;
  body.place = reading.place_of_key(item);
  body.mass = reading.scalar(reading.required(item, "mass", "\"m\""));
  const Toml& position = reading.required(item, "position", "\"[x, y, z]\"");
  body.r_G_S = reading.vector(position, 3);
  body.v_G_S = body.r_G_S;
  for (Expr& e : body.v_G_S.entries()) {
    if (has_velocities(e))
      reading.fail(position, Error("velocity-not-allowed", "a position that depends on velocities", "",
                                   "use the coordinates"));
    e = system.space.rate(e);
  }
  if (const Toml* rotation = item.find("rotation")) body.attitude = attitude(reading, *rotation);
  if (const Toml* inertia = item.find("inertia")) {
    reading.required(item, "rotation", "\"B\"");
    body.inertia = inertia_matrix(reading, *inertia);
  }
  return body;
}

}  // namespace

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
  const Matrix up = down == nullptr ? unit_vector(2) : -reading.direction(*down);
  Expr kinetic, potential;
  for (const Toml& item : section->items) {
    RigidBody body = read_body(reading, item);
    kinetic += kinetic_energy(body);
    if (gravity != nullptr) potential += body.mass * reading.scalar(*gravity) * dot(up, body.r_G_S);
    system.bodies.push_back(std::move(body));
  }
  system.kinetic = kinetic;
  system.potential = potential;
}

}  // namespace rattleback
