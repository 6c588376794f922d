#include <rattleback/model/contact_limits.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {
namespace {

ContactLimit above_support(const Contact& contact, Expr positive) {
  return {contact.name, positive, "below-support", "the body lies below its support"};
}
ContactLimit convex(const Contact& contact, Expr positive) {
  return {contact.name, positive, "nonconvex-contact", "the surface is not convex where it touches"};
}

const RigidBody& body_of(const System& system, const Contact& contact) {
  const auto found = std::ranges::find(system.bodies, contact.body, &RigidBody::name);
  if (found == system.bodies.end()) throw Bug("a contact without a body");
  return *found;
}

/// ⟨n, r_M − r_C⟩, M the centre of the surface.
Expr height_of_centre(const System& system, const Contact& contact) {
  const RigidBody& body = body_of(system, contact);
  return dot(contact.normal, body.r_G_S + body.attitude.to_space(contact.surface.center) - contact.point);
}

/// h_ab = ⟨e_a, f'' e_b⟩ for the tangents e_1, e_2: its trace and its determinant.
void add_curvature(const System& system, const Contact& contact, std::vector<ContactLimit>& all) {
  const RigidBody& body = body_of(system, contact);
  std::vector<Symbol> point;
  for (const Expr q : contact.surface.point.entries()) point.push_back(q.symbol());
  const std::vector<Expr> slopes(contact.surface.gradient.entries().begin(),
                                 contact.surface.gradient.entries().end());
  const Matrix f2 = jacobian(slopes, point), e1 = body.attitude.to_body(contact.along),
               e2 = body.attitude.to_body(contact.across);
  const Expr h11 = dot(e1, f2 * e1), h12 = dot(e1, f2 * e2), h22 = dot(e2, f2 * e2);
  all.push_back(convex(contact, h11 + h22));
  all.push_back(convex(contact, h11 * h22 - h12 * h12));
}

}  // namespace

std::vector<ContactLimit> contact_limits(const System& system) {
  std::vector<ContactLimit> all;
  for (const Contact& contact : system.contacts) {
    const Surface& surface = contact.surface;
    const bool is_round = surface.kind == Surface::Kind::sphere || surface.kind == Surface::Kind::disk;
    if (is_round && surface.radius.is_zero()) continue;  // a knife edge or a caster: a point that touches
    switch (surface.kind) {
      case Surface::Kind::sphere: all.push_back(above_support(contact, surface.radius)); break;
      case Surface::Kind::disk:
        all.push_back(above_support(contact, height_of_centre(system, contact)));
        break;
      case Surface::Kind::ellipsoid:
        for (const Expr a : surface.semiaxes.entries()) all.push_back(above_support(contact, a));
        break;
      case Surface::Kind::implicit:
        all.push_back(above_support(contact, surface.pressure));
        add_curvature(system, contact, all);
        break;
    }
  }
  std::erase_if(all,
                [](const ContactLimit& limit) { return known_sign(limit.positive) == KnownSign::positive; });
  return all;
}

}  // namespace rattleback
