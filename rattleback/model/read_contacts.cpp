// Declared in model/reading.hpp. [contacts]: where bodies touch the ground, and what that forbids.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/collected.hpp>
#include <rattleback/model/keys.hpp>
#include <rattleback/model/reading.hpp>

namespace rattleback {
namespace {

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

/// Semi-axes a, b, c along the axes A of the ellipsoid, and D = A diag(a², b², c²) Aᵀ.
void read_ellipsoid(const Reading& reading, const Toml& item, const Toml* axes, Surface& surface) {
  surface.kind = Surface::Kind::ellipsoid;
  surface.semiaxes = reading.vector(item, 3);
  surface.axes = axes == nullptr ? Matrix::identity(3) : reading.matrix(*axes, 3);
  std::vector<Expr> squares;
  for (const Expr a : surface.semiaxes.entries()) squares.push_back(a * a);
  surface.semiaxes_squared = Matrix::diagonal(squares);
  if (axes != nullptr)
    surface.semiaxes_squared = surface.axes * surface.semiaxes_squared * transpose(surface.axes);
}

/// f(X, Y, Z) at the contact point, whose coordinates NAME_X, NAME_Y, NAME_Z belong to the space already.
void read_implicit(const Reading& reading, const Toml& item, const std::string& contact, Surface& surface) {
  const System& system = reading.system;
  Scope scope = system.scope;
  std::vector<Symbol> point;
  for (const char* axis : {"X", "Y", "Z"}) {
    const Expr q = parse(fmt::format("{}_{}", contact, axis), system.scope);
    point.push_back(q.symbol());
    scope.define(axis, q);
  }
  surface.kind = Surface::Kind::implicit;
  surface.point = Matrix::column(std::vector<Expr>(point.begin(), point.end()));
  surface.pressure = parse(contact + "_k", system.scope);
  surface.f = reading.scalar(item, scope);
  surface.gradient = Matrix::column(gradient(surface.f, point));
  for (const Symbol s : symbols_of(surface.f)) {
    if (s.role() == Role::parameter || s.role() == Role::constant ||
        std::find(point.begin(), point.end(), s) != point.end())
      continue;
    reading.fail(item, Error("unsupported-contact", fmt::format("the surface depends on `{}`", s.name()),
                             "the shape of a rigid body is constant", "use X, Y, Z, numbers and parameters"));
  }
}

/// `origin` is that of the body, from its mass centre.
Surface read_surface(const Reading& reading, const Toml& item, const std::string& contact,
                     const Matrix& origin) {
  require_known_keys(reading.source(), item, "contacts.*.surface");
  const Toml *disk = item.find("disk"), *sphere = item.find("sphere"), *ellipsoid = item.find("ellipsoid"),
             *implicit = item.find("implicit");
  if ((disk != nullptr) + (sphere != nullptr) + (ellipsoid != nullptr) + (implicit != nullptr) != 1) {
    reading.fail(item, Error("conflicting-keys", "a surface is one of disk, sphere, ellipsoid and implicit",
                             "", "keep exactly one of these keys"));
  }
  Surface surface;
  surface.center = origin;
  if (const Toml* center = item.find("center")) surface.center = origin + reading.vector(*center, 3);
  if (sphere != nullptr) {
    surface.radius = reading.scalar(*sphere);
  } else if (disk != nullptr) {
    surface.kind = Surface::Kind::disk;
    surface.radius = reading.scalar(*disk);
    surface.axis = reading.direction(reading.required(item, "axis", "\"e2\""));
  } else if (ellipsoid != nullptr) {
    read_ellipsoid(reading, *ellipsoid, item.find("axes"), surface);
  } else {
    read_implicit(reading, *implicit, contact, surface);
  }
  return surface;
}

Support read_support(const Reading& reading, const Toml* item) {
  Support support;
  support.normal = unit_vector(2);
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
    support.axis = unit_vector(2);
    if (const Toml* axis = item->find("axis")) support.axis = reading.direction(*axis);
    const Toml& side = reading.required(*item, "side", "\"inside\"");
    if (reading.text(side) != "inside" && side.text != "outside")
      reading.fail(side, Error("wrong-type", fmt::format("`{}` is not a side of a cylinder", side.text), "",
                               "write \"inside\" or \"outside\""));
    support.inside = side.text == "inside";
    return support;
  }
  if (const Toml* normal = item->find("normal")) support.normal = reading.direction(*normal);
  if (const Toml* height = item->find("height")) support.height = reading.scalar(*height);
  return support;
}

/// A condition on positions, kept together with its rate.
void add_condition(System& system, const Contact& contact, const std::string& name, Expr e,
                   std::optional<ContactReaction> reaction) {
  system.constraints.push_back(
      {name, collected(system.space.rate(e), system.space), e, contact.place, std::move(reaction)});
}

void add_constraint(System& system, const Contact& contact, const char* suffix,
                    ContactReaction::Direction direction, Expr e) {
  const ContactReaction reaction{contact.name, direction};
  system.constraints.push_back({fmt::format("{}_{}", contact.name, suffix), collected(e, system.space),
                                std::nullopt, contact.place, reaction});
}

/// Rollers on the rim forbid slipping along their axes, u = cos γ across + sin γ along: γ = 0 is a knife edge, π/2 an omni wheel.
void add_roller(const Reading& reading, System& system, const Contact& contact, const Toml& item) {
  using Direction = ContactReaction::Direction;
  const Expr angle = reading.scalar(item);
  for (const Symbol s : symbols_of(angle)) {
    if (s.role() == Role::parameter || s.role() == Role::constant) continue;
    reading.fail(item, Error("wrong-direction", fmt::format("`roller` depends on `{}`", s.name()),
                             "rollers are fixed to the rim", "use numbers and parameters"));
  }
  if (contact.surface.kind != Surface::Kind::disk)
    reading.fail(item, Error("conflicting-keys", "`roller` of a surface without a rim", "",
                             "use surface = { disk = \"R\", axis = \"e2\" }"));
  if (vanishes(sin(angle)))
    return add_constraint(system, contact, "2", Direction::across, contact.slip_across);
  if (vanishes(cos(angle))) return add_constraint(system, contact, "1", Direction::along, contact.slip_along);
  const Expr slip = cos(angle) * contact.slip_across + sin(angle) * contact.slip_along;
  system.constraints.push_back(
      {contact.name + "_roller", collected(slip, system.space), std::nullopt, contact.place, std::nullopt});
}

/// A gap that no motion changes is closed, or the body can never touch.
void require_touching(const Reading& reading, const Toml& item, const Contact& contact) {
  const Expr rate = reading.system.space.rate(contact.gap);
  if (!vanishes(rate)) return;
  reading.fail_at_key(
      item, Error("unsupported-contact", fmt::format("`{}` cannot touch its support", item.key),
                  fmt::format("its lowest point always has the distance {}", text(short_form(contact.gap))),
                  "place the body so that it touches: a wheel of radius R has its centre at height R"));
}

}  // namespace

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
    reading.require(surface, Toml::Kind::table, "{ disk = \"R\", axis = \"e2\" }");
    const Toml *rolls = item.find("rolls"), *twist = item.find("twist"), *on = item.find("on");
    Contact contact;
    try {
      contact =
          contact_point(body, read_surface(reading, surface, item.key, -reading.mass_centers.at(body.name)),
                        read_support(reading, on));
    } catch (Error& error) {
      if (error.where.empty()) error.at(reading.place(on != nullptr ? *on : surface));
      throw;
    }
    contact.name = item.key;
    contact.place = reading.place_of_key(item);
    for (std::size_t k = 0; k < contact.touching.size(); ++k) {
      add_condition(system, contact, fmt::format("{}_touch_{}", contact.name, k + 1), contact.touching[k],
                    std::nullopt);
    }
    if (!vanishes(contact.gap)) {
      require_touching(reading, item, contact);
      add_condition(system, contact, contact.name + "_normal", contact.gap,
                    ContactReaction{contact.name, Direction::normal});
    }
    if (const Toml* roller = item.find("roller")) {
      if (rolls != nullptr)
        reading.fail_at_key(
            *rolls, Error("conflicting-keys", "both `rolls` and `roller` are given",
                          "rollers say in which direction the contact does not slip", "keep one of them"));
      add_roller(reading, system, contact, *roller);
    } else if (rolls == nullptr || reading.truth(*rolls)) {
      add_constraint(system, contact, "1", Direction::along, contact.slip_along);
      add_constraint(system, contact, "2", Direction::across, contact.slip_across);
    }
    if (twist != nullptr && !reading.truth(*twist))
      add_constraint(system, contact, "spin", Direction::spin, contact.spin);
    system.contacts.push_back(std::move(contact));
  }
}

}  // namespace rattleback
