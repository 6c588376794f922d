#include <rattleback/motion/equations/opening_contacts.hpp>

#include <algorithm>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/collected.hpp>
#include <rattleback/motion/equations/normal_reactions.hpp>

namespace rattleback {
namespace {

using Direction = ContactReaction::Direction;

bool is_on_gap(const Constraint& c, const Contact& contact) {
  return c.reaction && c.reaction->contact == contact.name && c.reaction->direction == Direction::normal;
}

bool has_gap(const System& system, const Contact& contact) {
  return std::ranges::any_of(system.constraints, [&](const Constraint& c) { return is_on_gap(c, contact); });
}

const RigidBody& body_of(const System& system, const Contact& contact) {
  const auto found = std::ranges::find(system.bodies, contact.body, &RigidBody::name);
  if (found == system.bodies.end()) throw Bug("a contact without a body");
  return *found;
}

Matrix rate(const Space& space, const Matrix& m) {
  Matrix found = m;
  for (Expr& e : found.entries()) e = space.rate(e);
  return found;
}

/// The gap s, where the contact measures it so; otherwise what it measures.
Expr gap_in(const Contact& contact, Expr s) {
  return vanishes_at_random_points(contact.gap - s) ? s : short_form(contact.gap);
}

/// What slips and spins, in the velocities of the larger space.
void restate(System& system, const Contact& contact) {
  for (Constraint& c : system.constraints) {
    if (!c.reaction || c.reaction->contact != contact.name) continue;
    const Expr e = c.reaction->direction == Direction::along    ? contact.slip_along
                   : c.reaction->direction == Direction::across ? contact.slip_across
                   : c.reaction->direction == Direction::roller ? slip_along_rollers(contact)
                                                                : contact.spin;
    c.expression = collected(e, system.space);
  }
}

/// Shapes that move with the bodies move along.
void lift_scene(System& system, const Matrix& shift) {
  if (!system.scene) return;
  const auto functions = system.space.functions();
  const auto moves = [&](const Matrix& m) {
    return std::ranges::any_of(m.entries(), [&](Expr e) {
      return std::ranges::any_of(
          symbols_of(e), [&](Symbol s) { return std::ranges::find(functions, s) != functions.end(); });
    });
  };
  for (Shape& shape : system.scene->shapes) {
    if (shape.at.rows() == 3 && (moves(shape.at) || moves(shape.rotation))) shape.at = shape.at + shift;
    for (Matrix& point : shape.points)
      if (point.rows() == 3 && moves(point)) point = point + shift;
  }
}

void add_coordinate(System& system, const Factor& factor) {
  system.space = system.space * Space({factor});
  system.forces.emplace_back(0);
  for (const Symbol s : factor.functions()) system.scope.define(s.name(), Expr(s));
  for (const Symbol s : factor.velocities) system.scope.define(s.name(), Expr(s));
  system.symmetries.clear();  // fields on the smaller space
}

/// (S.21); g is the weight of a unit of mass, upwards.
void lift(System& system, std::size_t which, const Matrix& g) {
  const Contact closed = system.contacts[which];
  const Factor factor = line(closed.name + "_gap", static_cast<int>(system.space.factors().size()));
  const Expr s(factor.functions().front());
  add_coordinate(system, factor);
  const Matrix shift = s * closed.normal, d = rate(system.space, shift);
  std::vector<Expr> terms{system.lagrangian};
  for (RigidBody& body : system.bodies) {
    terms.push_back(body.mass * (dot(body.v_G_S, d) + dot(d, d) / 2 - dot(g, shift)));
    body.r_G_S = body.r_G_S + shift;
    body.v_G_S = body.v_G_S + d;
  }
  system.lagrangian = sum(terms);
  system.kinetic.reset();
  system.potential.reset();
  lift_scene(system, shift);

  Contact contact = contact_point(body_of(system, closed), closed.surface, closed.support);
  contact.name = closed.name;
  contact.place = closed.place;
  contact.roller = closed.roller;
  restate(system, contact);
  const Expr gap = gap_in(contact, s);
  contact.gap = gap;
  system.constraints.push_back({contact.name + "_normal", collected(system.space.rate(gap), system.space),
                                gap, contact.place, ContactReaction{contact.name, Direction::normal}});
  system.contacts[which] = std::move(contact);
}

}  // namespace

System with_gap_coordinate(System system) {
  const Contact* closed = contact_without_normal(system);
  if (closed == nullptr) return system;
  const std::optional<Matrix> g = weight_alone(system);
  if (g) lift(system, static_cast<std::size_t>(closed - system.contacts.data()), *g);
  return system;
}

bool forbids_slipping(const Constraint& c, const Contact& contact) {
  return c.reaction && c.reaction->contact == contact.name && c.reaction->direction != Direction::normal &&
         c.reaction->direction != Direction::spin;
}

bool goes_with(const Constraint& c, const Contact& contact) {
  return c.reaction && c.reaction->contact == contact.name;
}

std::vector<Contact> contacts_that_open(const System& system) {
  std::vector<Contact> found;
  std::ranges::copy_if(system.contacts, std::back_inserter(found),
                       [&](const Contact& c) { return has_gap(system, c); });
  return found;
}

Expr leaving_velocity(const System& system, const Contact& contact) {
  const auto velocity_at_contact = [&](const RigidBody& body) {
    return body.v_G_S + cross(body.attitude.w_SB_S(), contact.point - body.r_G_S);
  };
  Matrix v = velocity_at_contact(body_of(system, contact));
  for (const RigidBody& below : system.bodies)
    if (below.name == contact.support.body) v = v - velocity_at_contact(below);
  return dot(contact.normal, v);
}

}  // namespace rattleback
