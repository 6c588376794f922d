// [bodies] and [contacts]: rigid bodies, their energies, and where they touch the ground.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/model/keys.hpp>
#include <rattleback/model/reading.hpp>

namespace rattleback {
namespace {

/// Coefficients with more nodes are left as they were built: nobody reads them, and tidying takes its time.
constexpr std::size_t shortened_up_to = 80;

bool vanishes(Expr e) { return e.is_zero() || vanishes_at_random_points(e); }

Matrix third_axis(int sign) {
  Matrix e(3, 1);
  e[2] = sign;
  return e;
}

Matrix unit_vector(const Reading& reading, const Toml& item) {
  Matrix v = reading.vector(item, 3);
  for (const Expr e : v.entries()) {
    for (const Symbol s : symbols_of(e)) {
      if (s.role() == Role::parameter || s.role() == Role::constant) continue;
      reading.fail(item, Error("wrong-direction", fmt::format("`{}` depends on `{}`", item.key, s.name()),
                               "this direction must be constant", "use numbers and parameters only"));
    }
  }
  if (!vanishes(dot(v, v) - 1))
    reading.fail(item, Error("wrong-direction", fmt::format("`{}` is not a unit vector", item.key),
                             "its length is not 1", "divide it by its length"));
  return v;
}

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

// ---- contacts

const RigidBody& body_named(const Reading& reading, const Toml& item) {
  const std::string& name = reading.text(item);
  std::vector<std::string> names;
  for (const RigidBody& body : reading.system.bodies) {
    if (body.name == name) return body;
    names.push_back(body.name);
  }
  const auto close = nearest(name, names);
  reading.fail(item, Error("unknown-body", fmt::format("there is no body `{}`", name), "",
                           close.empty() ? fmt::format("add a section [bodies.{}]", name)
                                         : fmt::format("did you mean `{}`?", fmt::join(close, "`, `"))));
}

/// D = A diag(a², b², c²) Aᵀ, A the axes of the ellipsoid in the body.
Matrix squared_semiaxes(const Reading& reading, const Toml& surface, const Toml& item) {
  const Matrix semiaxes = reading.vector(item, 3);
  std::vector<Expr> squares;
  for (const Expr a : semiaxes.entries()) squares.push_back(a * a);
  const Matrix D = Matrix::diagonal(squares);
  const Toml* axes = surface.find("axes");
  if (axes == nullptr) return D;
  const Matrix A = reading.matrix(*axes, 3);
  return A * D * transpose(A);
}

Surface read_surface(const Reading& reading, const Toml& item) {
  reading.require(item, Toml::Kind::table, "{ disk = \"R\", axis = \"e2\" }");
  require_known_keys(reading.source(), item, "contacts.*.surface");
  const Toml *disk = item.find("disk"), *sphere = item.find("sphere"), *ellipsoid = item.find("ellipsoid"),
             *implicit = item.find("implicit");
  if (implicit != nullptr) {
    reading.fail(*implicit,
                 Error("unsupported-contact", "the contact point of a general surface has no closed form",
                       "spheres, disks and ellipsoids are supported",
                       "use { sphere = … }, { disk = …, axis = … } or { ellipsoid = […] }, or give surface "
                       "coordinates and constraints by hand"));
  }
  if ((disk != nullptr) + (sphere != nullptr) + (ellipsoid != nullptr) != 1) {
    reading.fail(item, Error("conflicting-keys", "a surface is one of disk, sphere and ellipsoid", "",
                             "keep exactly one of these keys"));
  }
  Surface surface;
  surface.center = Matrix(3, 1);
  if (const Toml* center = item.find("center")) surface.center = reading.vector(*center, 3);
  if (sphere != nullptr) {
    surface.radius = reading.scalar(*sphere);
  } else if (disk != nullptr) {
    surface.kind = Surface::Kind::disk;
    surface.radius = reading.scalar(*disk);
    surface.axis = unit_vector(reading, reading.required(item, "axis", "\"e2\""));
  } else {
    surface.kind = Surface::Kind::ellipsoid;
    surface.semiaxes_squared = squared_semiaxes(reading, item, *ellipsoid);
  }
  return surface;
}

Support read_support(const Reading& reading, const Toml* item) {
  Support support;
  support.normal = third_axis(1);
  if (item == nullptr) return support;
  if (item->is(Toml::Kind::string)) {
    if (item->text != "plane")
      reading.fail(
          *item,
          Error("unsupported-contact", fmt::format("`{}` is nothing a body can roll on here", item->text), "",
                "write \"plane\", or { cylinder = \"R\", axis = \"e3\", side = \"inside\" }"));
    return support;
  }
  reading.require(*item, Toml::Kind::table, "\"plane\"");
  require_known_keys(reading.source(), *item, "contacts.*.on");
  if (const Toml* cylinder = item->find("cylinder")) {
    support.kind = Support::Kind::cylinder;
    support.radius = reading.scalar(*cylinder);
    support.axis = third_axis(1);
    if (const Toml* axis = item->find("axis")) support.axis = unit_vector(reading, *axis);
    const Toml& side = reading.required(*item, "side", "\"inside\"");
    if (reading.text(side) != "inside" && side.text != "outside")
      reading.fail(side, Error("wrong-type", fmt::format("`{}` is not a side of a cylinder", side.text), "",
                               "write \"inside\" or \"outside\""));
    support.inside = side.text == "inside";
    return support;
  }
  if (const Toml* normal = item->find("normal")) support.normal = unit_vector(reading, *normal);
  if (const Toml* height = item->find("height")) support.height = reading.scalar(*height);
  return support;
}

/// Σ c_i v^i + c_0 with short coefficients, those that vanish dropped: products of rotations leave many of them.
Expr collected(Expr e, const Space& space) {
  const std::vector<Expr> slopes = gradient(e, space.velocities());
  SymbolMap rest;
  for (const Symbol v : space.velocities()) rest.emplace(v, Expr(0));
  const auto tidy = [](Expr c) {
    return vanishes(c) ? Expr(0) : graph_size({&c, 1}) < shortened_up_to ? short_form(c) : c;
  };
  std::vector<Expr> terms{tidy(substitute(e, rest))};
  for (std::size_t i = 0; i < slopes.size(); ++i) terms.push_back(tidy(slopes[i]) * space.velocities()[i]);
  return sum(terms);
}

void add_constraint(System& system, const Contact& contact, const char* suffix,
                    ContactReaction::Direction direction, Expr e) {
  const ContactReaction reaction{contact.name, direction};
  system.constraints.push_back({fmt::format("{}_{}", contact.name, suffix), collected(e, system.space),
                                std::nullopt, contact.place, reaction});
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
  const Matrix up = down == nullptr ? third_axis(1) : -unit_vector(reading, *down);
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

void read_contacts(Reading& reading) {
  const Toml* section = reading.section("contacts");
  if (section == nullptr) return;
  System& system = reading.system;
  using Direction = ContactReaction::Direction;
  for (const Toml& item : section->items) {
    reading.require(item, Toml::Kind::table, fmt::format("a section [contacts.{}]", item.key));
    reading.require_name(item.key, reading.place_of_key(item));
    require_known_keys(reading.source(), item, "contacts.*");
    const RigidBody& body = body_named(reading, reading.required(item, "body", "\"wheel\""));
    const Toml& surface = reading.required(item, "surface", "{ disk = \"R\", axis = \"e2\" }");
    const Toml *rolls = item.find("rolls"), *twist = item.find("twist"), *on = item.find("on");
    Contact contact;
    try {
      contact = contact_point(body, read_surface(reading, surface), read_support(reading, on));
    } catch (Error& error) {
      if (error.where.empty()) error.at(reading.place(on != nullptr ? *on : surface));
      throw;
    }
    contact.name = item.key;
    contact.place = reading.place_of_key(item);
    if (!vanishes(contact.gap)) {
      const ContactReaction reaction{contact.name, Direction::normal};
      system.constraints.push_back({contact.name + "_normal",
                                    collected(system.space.rate(contact.gap), system.space), contact.gap,
                                    contact.place, reaction});
    }
    if (rolls == nullptr || reading.truth(*rolls)) {
      add_constraint(system, contact, "1", Direction::along, contact.slip_along);
      add_constraint(system, contact, "2", Direction::across, contact.slip_across);
    }
    if (twist != nullptr && !reading.truth(*twist))
      add_constraint(system, contact, "spin", Direction::spin, contact.spin);
    system.contacts.push_back(std::move(contact));
  }
}

}  // namespace rattleback
