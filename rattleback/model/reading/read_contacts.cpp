// Declared in model/reading/reading.hpp. [contacts]: where bodies touch the ground or each other, and what that forbids.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/reading/joints.hpp>
#include <rattleback/model/system/collected.hpp>
#include <rattleback/model/system/contact_limits.hpp>
#include <rattleback/model/text/keys.hpp>

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
void add_roller(const Reading& reading, System& system, Contact& contact, const Toml& item) {
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
  contact.roller = angle;
  add_constraint(system, contact, "roller", Direction::roller, slip_along_rollers(contact));
}

/// A gap that no motion changes is closed, or the body can never touch.
void require_touching(const Reading& reading, const Toml& item, const Contact& contact) {
  const Expr rate = reading.system.space.rate(contact.gap);
  if (!vanishes(rate)) return;
  reading.fail_at_key(
      item, Error("unsupported-contact", fmt::format("`{}` cannot touch its support", item.key),
                  fmt::format("its lowest point always has the distance {}", text(short_form(contact.gap))),
                  "place the body so that it touches: a wheel of radius R has its centre at height R, "
                  "at = \"[0, 0, R]\""));
}

/// The constraints that a contact of this kind imposes.
void add_rolling(const Reading& reading, System& system, Contact& contact, const Toml& item) {
  using Direction = ContactReaction::Direction;
  const Toml *rolls = item.find("rolls"), *twist = item.find("twist"), *roller = item.find("roller");
  if (roller != nullptr && rolls != nullptr)
    reading.fail_at_key(
        *rolls, Error("conflicting-keys", "both `rolls` and `roller` are given",
                      "rollers say in which direction the contact does not slip", "keep one of them"));
  // Parallel cylinders cannot slip along their axes when nothing moves them so, nor cones along their generators.
  const bool is_line =
      contact.surface.kind == Surface::Kind::cylinder || contact.surface.kind == Surface::Kind::cone;
  const bool across = !is_line || !vanishes(contact.slip_across);
  if (roller != nullptr) {
    add_roller(reading, system, contact, *roller);
  } else if (rolls == nullptr || reading.truth(*rolls)) {
    add_constraint(system, contact, "1", Direction::along, contact.slip_along);
    if (across) add_constraint(system, contact, "2", Direction::across, contact.slip_across);
  }
  if (twist != nullptr && !reading.truth(*twist))
    add_constraint(system, contact, "spin", Direction::spin, contact.spin);
}

/// What the numbers of the parameters alone make impossible: a ball that is too large for its bowl.
void require_room(const Reading& reading, const Toml& item, const Contact& contact) {
  const SymbolMap values = parameter_values(reading.system);
  System alone;
  alone.bodies = reading.system.bodies;
  alone.contacts = {contact};
  for (const ContactLimit& limit : contact_limits(alone)) {
    const Expr value = substitute(limit.positive, values);
    const KnownSign sign = known_sign(value);
    if (!limit.depends_on_sizes ||
        (sign != KnownSign::negative && sign != KnownSign::nonpositive && sign != KnownSign::zero))
      continue;
    reading.fail_at_key(item, Error(limit.slug, fmt::format("contact `{}`: {}", item.key, limit.broken),
                                    fmt::format("{} is {}, and must be positive",
                                                text(short_form(limit.positive)), text(short_form(value))),
                                    "make the body smaller, or the surface wider"));
  }
}

Contact read_contact(const Reading& reading, const PlannedContact& planned, const RigidBody& body) {
  const Toml& item = *planned.item;
  const RigidBody* under =
      planned.on == ground ? nullptr : &body_named(reading, *item.find("on")->find("body"));
  if (under == &body)
    reading.fail_at_key(item, Error("conflicting-keys", fmt::format("`{}` touches itself", body.name), "",
                                    "name two different bodies"));
  const Matrix on = under == nullptr ? Matrix(3, 1) : -reading.mass_centers.at(under->name);
  try {
    return contact_point(body, read_surface(reading, planned, -reading.mass_centers.at(body.name)),
                         read_support(reading, planned, on), under);
  } catch (Error& error) {
    const Toml* place = item.find("on");
    if (error.where.empty()) error.at(reading.place(place != nullptr ? *place : *item.find("surface")));
    throw;
  }
}

/// A contact that places its body is closed by that; its height may be a coordinate, which it then keeps at 0.
void close_by_placement(const Reading& reading, const PlannedContact& planned, Contact& contact) {
  contact.carried = reading.joints->joined_with(planned.body);
  contact.gap = planned.height.empty() ? Expr(0) : parse(planned.height, reading.system.scope);
  if (planned.surface != Surface::Kind::implicit && planned.surface != Surface::Kind::parametric)
    contact.touching.clear();
  else
    contact.touching.resize(planned.surface == Surface::Kind::implicit ? 4 : 2);
  if (planned.support == Support::Kind::implicit) contact.touching.push_back(contact.support.f);
}

void add_contact(Reading& reading, const PlannedContact& planned) {
  System& system = reading.system;
  const Toml& item = *planned.item;
  const RigidBody& body = body_named(reading, reading.required(item, "body", "\"wheel\""));
  Contact contact = read_contact(reading, planned, body);
  contact.name = item.key;
  contact.place = reading.place_of_key(item);
  if (planned.places_body) close_by_placement(reading, planned, contact);
  for (std::size_t k = 0; k < contact.touching.size(); ++k)
    add_condition(system, contact, fmt::format("{}_touch_{}", contact.name, k + 1), contact.touching[k],
                  std::nullopt);
  if (!vanishes(contact.gap)) {
    require_touching(reading, item, contact);
    add_condition(system, contact, contact.name + "_normal", contact.gap,
                  ContactReaction{contact.name, ContactReaction::Direction::normal});
  }
  add_rolling(reading, system, contact, item);
  require_room(reading, item, contact);
  system.contacts.push_back(std::move(contact));
}

}  // namespace

void read_contacts(Reading& reading) {
  const Toml* section = reading.section("contacts");
  for (std::size_t i = 0; section != nullptr && i < section->items.size(); ++i) {
    const Toml& item = section->items[i];
    reading.require(item, Toml::Kind::table, fmt::format("a section [contacts.{}]", item.key));
    reading.require_name(item.key, reading.place_of_key(item));
    require_known_keys(reading.source(), item, "contacts.*");
    const auto planned = std::ranges::find(reading.joints->contacts, &item, &PlannedContact::item);
    if (planned == reading.joints->contacts.end())
      body_named(reading, reading.required(item, "body", "\"wheel\""));  // throws
    add_contact(reading, *planned);
  }
}

}  // namespace rattleback
