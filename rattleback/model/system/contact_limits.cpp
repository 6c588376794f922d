#include <rattleback/model/system/contact_limits.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {
namespace {

ContactLimit above_support(const Contact& contact, Expr positive) {
  return ContactLimit{"below-support", contact.name, positive, "the body lies below its support"};
}
ContactLimit convex(const Contact& contact, Expr positive) {
  return ContactLimit{"nonconvex-contact", contact.name, positive,
                      "the surface is not convex where it touches"};
}

ContactLimit tight(const Contact& contact, Expr positive) {
  return ContactLimit{"tight-contact", contact.name, positive,
                      "the support curves towards the body more sharply than the body does", true};
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

const RigidBody* body_below(const System& system, const Contact& contact) {
  const auto found = std::ranges::find(system.bodies, contact.support.body, &RigidBody::name);
  return found == system.bodies.end() ? nullptr : &*found;
}

std::vector<Symbol> symbols_in(const Matrix& column) {
  std::vector<Symbol> symbols;
  for (const Expr q : column.entries()) symbols.push_back(q.symbol());
  return symbols;
}

/// ⟨e_a, v_b⟩ for tangents e_a and the columns v_b.
Matrix components(const Matrix& e1, const Matrix& e2, const Matrix& v1, const Matrix& v2) {
  return {{dot(e1, v1), dot(e1, v2)}, {dot(e2, v1), dot(e2, v2)}};
}
Expr determinant(const Matrix& m) { return m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0); }
Matrix adjugate(const Matrix& m) { return {{m(1, 1), -m(0, 1)}, {-m(1, 0), m(0, 0)}}; }

/// K_ab of the support in the tangents of the contact, positive where it curves towards the body: −⟨e_a, ∂n⟩ = K_ab ⟨e_b, ∂X⟩, or −⟨e_a, f'' e_b⟩/|∇f|.
Matrix support_curvature(const System& system, const Contact& contact) {
  const Support& s = contact.support;
  if (s.coordinates.rows() == 0 || s.kind == Support::Kind::plane) return {2, 2};
  const RigidBody* below = body_below(system, contact);
  const auto in_support = [&](const Matrix& v) { return below == nullptr ? v : below->attitude.to_body(v); };
  const Matrix e1 = in_support(contact.along), e2 = in_support(contact.across);
  const std::vector<Symbol> u = symbols_in(s.coordinates);
  if (s.kind == Support::Kind::implicit) {
    const std::vector<Expr> slopes = gradient(s.f, u);
    const Matrix f2 = jacobian(slopes, u), g = Matrix::column(slopes);
    const Expr scale = pow(sqrt(dot(g, g)), -1);
    return (s.inside ? scale : -scale) * components(e1, e2, f2 * e1, f2 * e2);
  }
  const Matrix A = components(e1, e2, derivative(s.point, u[0]), derivative(s.point, u[1]));
  const Matrix N = components(e1, e2, derivative(s.normal, u[0]), derivative(s.normal, u[1]));
  return -pow(determinant(A), -1) * (N * adjugate(A));
}

/// ⟨n, T'⟩/|X'|: how a thin wire curves towards the body along itself. Across it curves away at once.
Expr wire_curvature(const Support& s) {
  const Symbol u = s.coordinates[0].symbol();
  const Matrix slope = derivative(s.point, u);
  return dot(derivative(s.along, u), s.normal) * pow(dot(slope, s.along), -1);
}

bool is_wire(const Support& s) { return s.kind == Support::Kind::curve && s.tube.is_zero(); }

/// wᵀ(S − K)w > 0 for the direction w of the body's surface that lies along the wire.
Expr curvature_on_wire(const System& system, const Contact& contact) {
  const RigidBody& body = body_of(system, contact);
  const Surface& surface = contact.surface;
  const Matrix e1 = body.attitude.to_body(contact.along), e2 = body.attitude.to_body(contact.across);
  const Expr k = wire_curvature(contact.support);
  if (surface.kind == Surface::Kind::implicit) {
    const Matrix f2 =
        jacobian(std::vector<Expr>(surface.gradient.entries().begin(), surface.gradient.entries().end()),
                 symbols_in(surface.point));
    return dot(e1, f2 * e1) - surface.pressure * k;
  }
  const std::vector<Symbol> pq = symbols_in(surface.parameters);
  const Matrix gamma = body.attitude.to_body(contact.normal), rp = derivative(surface.point, pq[0]),
               rq = derivative(surface.point, pq[1]), J = components(e1, e2, rp, rq);
  const Matrix w{{J(1, 1)}, {-J(1, 0)}};
  const Expr mixed = dot(derivative(rp, pq[1]), gamma);
  const Matrix S{{dot(derivative(rp, pq[0]), gamma), mixed}, {mixed, dot(derivative(rq, pq[1]), gamma)}};
  return dot(w, S * w) - k * pow(determinant(J), 2);
}

/// S − K for surfaces whose point is a coordinate, up to a positive factor: implicit ⟨e_a, f'' e_b⟩ − κ K; parametric ⟨∂_a∂_b r, γ⟩ − JᵀKJ with J = ⟨e_a, ∂_b r⟩.
Matrix relative_curvature(const System& system, const Contact& contact) {
  const RigidBody& body = body_of(system, contact);
  const Surface& surface = contact.surface;
  const Matrix e1 = body.attitude.to_body(contact.along), e2 = body.attitude.to_body(contact.across);
  const Matrix K = support_curvature(system, contact);
  if (surface.kind == Surface::Kind::implicit) {
    const Matrix f2 =
        jacobian(std::vector<Expr>(surface.gradient.entries().begin(), surface.gradient.entries().end()),
                 symbols_in(surface.point));
    return components(e1, e2, f2 * e1, f2 * e2) - surface.pressure * K;
  }
  const std::vector<Symbol> pq = symbols_in(surface.parameters);
  const Matrix gamma = body.attitude.to_body(contact.normal), rp = derivative(surface.point, pq[0]),
               rq = derivative(surface.point, pq[1]), J = components(e1, e2, rp, rq);
  const Expr mixed = dot(derivative(rp, pq[1]), gamma);
  return Matrix{{dot(derivative(rp, pq[0]), gamma), mixed}, {mixed, dot(derivative(rq, pq[1]), gamma)}} -
         transpose(J) * K * J;
}

/// W_ab = −⟨e_a, ∂r_MC/∂γ e_b⟩: the radii of curvature of a surface whose points follow from their normals.
Matrix radii_of_curvature(const System& system, const Contact& contact) {
  const RigidBody& body = body_of(system, contact);
  std::vector<Symbol> g;
  SymbolMap at;
  const Matrix gamma = body.attitude.to_body(contact.normal);
  for (int k = 0; k < 3; ++k) {
    g.push_back(Symbol::make(std::string("gamma") + "123"[k] + " of a contact", {}));
    at.emplace(g.back(), gamma[k]);
  }
  const Matrix r = point_over_normal(contact.surface, Matrix::column(std::vector<Expr>(g.begin(), g.end())));
  const Matrix slope = substitute(jacobian(std::vector<Expr>(r.entries().begin(), r.entries().end()), g), at);
  const Matrix e1 = body.attitude.to_body(contact.along), e2 = body.attitude.to_body(contact.across);
  return -components(e1, e2, slope * e1, slope * e2);
}

bool has_point_coordinates(const Surface& surface) {
  return surface.kind == Surface::Kind::implicit || surface.kind == Surface::Kind::parametric;
}

void add_curvature(const System& system, const Contact& contact, std::vector<ContactLimit>& all) {
  using Kind = Support::Kind;
  const Support& s = contact.support;
  const auto limit = [&](Expr positive) {
    all.push_back(s.kind == Kind::plane ? convex(contact, positive) : tight(contact, positive));
  };
  const bool round = s.kind == Kind::sphere || s.kind == Kind::cylinder || s.kind == Kind::torus;
  const bool ball =
      contact.surface.kind == Surface::Kind::sphere || contact.surface.kind == Surface::Kind::cylinder;
  if (is_wire(s)) {
    if (has_point_coordinates(contact.surface)) return limit(curvature_on_wire(system, contact));
    if (ball) return limit(1 - contact.surface.radius * wire_curvature(s));
    if (contact.surface.kind != Surface::Kind::ellipsoid) return;
    const Matrix W = radii_of_curvature(system, contact);
    return limit(W(1, 1) - determinant(W) * wire_curvature(s));
  }
  if (has_point_coordinates(contact.surface)) {
    const Matrix h = relative_curvature(system, contact);
    limit(contact.surface.kind == Surface::Kind::implicit ? h(0, 0) + h(1, 1) : h(0, 0));
    return limit(determinant(h));
  }
  if (contact.surface.kind == Surface::Kind::cone) {
    if (s.inside) limit(sin(s.angle - contact.surface.angle));
    return;
  }
  if (round && ball) {
    if (s.inside) limit((s.kind == Kind::torus ? s.tube : s.radius) - contact.surface.radius);
    return;
  }
  if (s.kind == Kind::plane || s.kind == Kind::curve || s.coordinates.rows() == 0) return;
  const Matrix WK =
      (ball ? contact.surface.radius * Matrix::identity(2) : radii_of_curvature(system, contact)) *
      support_curvature(system, contact);
  limit(2 - WK(0, 0) - WK(1, 1));
  limit(1 - WK(0, 0) - WK(1, 1) + determinant(WK));
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
      case Surface::Kind::cylinder: all.push_back(above_support(contact, surface.radius)); break;
      case Surface::Kind::disk:
      case Surface::Kind::parametric:
        all.push_back(above_support(contact, height_of_centre(system, contact)));
        break;
      case Surface::Kind::ellipsoid:
        for (const Expr a : surface.semiaxes.entries()) all.push_back(above_support(contact, a));
        break;
      case Surface::Kind::implicit: all.push_back(above_support(contact, surface.pressure)); break;
      case Surface::Kind::cone: all.push_back(above_support(contact, surface.radius)); break;
    }
    add_curvature(system, contact, all);
  }
  std::erase_if(all,
                [](const ContactLimit& limit) { return known_sign(limit.positive) == KnownSign::positive; });
  return all;
}

}  // namespace rattleback
