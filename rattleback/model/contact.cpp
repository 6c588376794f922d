#include <rattleback/model/contact.hpp>

#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {
namespace {

/// k when v is e_k; −1 otherwise.
int axis_index(const Matrix& v) {
  for (int k = 0; k < 3; ++k) {
    if (v == unit_vector(k)) return k;
  }
  return -1;
}

bool vanishes(Expr e) { return e.is_zero() || vanishes_at_random_points(e); }

/// Does the inertia look the same after this rotation, R I Rᵀ = I?
bool leaves_unchanged(const Matrix& R, const Matrix& inertia) {
  const Matrix change = R * inertia * transpose(R) - inertia;
  for (const Expr e : change.entries()) {
    if (!vanishes(e)) return false;
  }
  return true;
}

}  // namespace

/// A last joint about an axis of symmetry is invisible in the energy: it is measured in the axes in front of it,
/// where its angle does not occur.
Expr kinetic_energy(const RigidBody& body) {
  const Expr half(Rational(1, 2));
  const Expr translation = half * body.mass * dot(body.v_G_S, body.v_G_S);
  if (body.inertia.rows() == 0) return translation;
  Attitude attitude = body.attitude;
  Matrix tail(3, 1);  // rates of the joints left out
  while (!attitude.joints().empty()) {
    const Joint& last = attitude.joints().back();
    if (last.axis < 0 || !leaves_unchanged(last.rotation, body.inertia)) break;
    tail = last.rate + last.rotation * tail;
    attitude = attitude.shortened();
  }
  const Matrix Omega = attitude.w_SB_B() + tail;
  return translation + half * dot(Omega, body.inertia * Omega);
}

namespace {

/// What the surface decides: axes W in which the contact is simple, the point C in them, and the tangents.
struct Touch {
  Attitude to_S;  ///< W → S
  Matrix w_SB_W;  ///< angular velocity of the body, not of W
  Matrix r_GC_W;
  Expr depth;      ///< ⟨normal, r_GC⟩
  Matrix along_S;  ///< `across` is normal × along
};

/// A constant unit vector orthogonal to the normal of a plane.
Matrix tangent(const Matrix& n) {
  if (const int k = axis_index(n); k >= 0) return unit_vector((k + 1) % 3);
  const std::vector<Expr> level{n[1], -n[0], Expr(0)};
  return pow(sqrt(n[0] * n[0] + n[1] * n[1]), -1) * Matrix::column(level);
}

/// r_MC = −radius·n, in space axes.
Touch touch_of_sphere(const RigidBody& body, const Surface& surface, const Matrix& n) {
  const Matrix r_GM_S = body.attitude.to_space(surface.center);
  return {Attitude(), body.attitude.w_SB_S(), r_GM_S - surface.radius * n, dot(n, r_GM_S) - surface.radius,
          tangent(n)};
}

/// r_MC = −Dγ/√⟨γ, Dγ⟩, the support point of the ellipsoid ⟨r, D⁻¹r⟩ = 1, in body axes; γ is the normal there.
Touch touch_of_ellipsoid(const RigidBody& body, const Surface& surface, const Matrix& n) {
  const Matrix gamma = body.attitude.to_body(n), Dgamma = surface.semiaxes_squared * gamma;
  const Expr s = sqrt(dot(gamma, Dgamma));
  return {body.attitude, body.attitude.w_SB_B(), surface.center - pow(s, -1) * Dgamma,
          dot(gamma, surface.center) - s, tangent(n)};
}

/// The length of γ − ⟨γ, a⟩a. When one of its two components vanishes identically it is the other one, on the branch
/// near the upright position; no root is needed.
Expr length_across(const Matrix& gamma, const Matrix& a) {
  if (const int k = axis_index(a); k >= 0) {
    const Expr p = gamma[(k + 1) % 3], q = gamma[(k + 2) % 3];
    if (vanishes(p)) return q;
    if (vanishes(q)) return p;
  }
  return sqrt(1 - pow(dot(gamma, a), 2));
}

/// The lowest point of a circle about the axis a: r_MC = −radius·(γ − ⟨γ, a⟩a)/s, s the length of that vector, in axes
/// that do not turn with the disk about its own axle. `along` is the direction in which it rolls, a × n/s.
Touch touch_of_disk(const RigidBody& body, const Surface& surface, const Matrix& n) {
  const Matrix& a = surface.axis;
  const bool centred = cross(surface.center, a) == Matrix(3, 1);
  Attitude to_S = body.attitude;
  Matrix w_SB_W = to_S.w_SB_B();
  if (centred && !to_S.joints().empty() && to_S.joints().back().axis >= 0 &&
      to_S.joints().back().axis == axis_index(a)) {
    to_S = body.attitude.shortened();
    w_SB_W = to_S.w_SB_B() + body.attitude.joints().back().rate;
  }
  const Matrix gamma = to_S.to_body(n);
  const Expr s = length_across(gamma, a);
  const Matrix down = -pow(s, -1) * (gamma - dot(gamma, a) * a);
  return {to_S, w_SB_W, surface.center + surface.radius * down,
          dot(gamma, surface.center) - surface.radius * s, pow(s, -1) * cross(to_S.to_space(a), n)};
}

/// r_MC is a point of the space, made the lowest one of f = 0 by the conditions f = 0 and ∇f = −κγ; κ > 0 selects the lower
/// of the two points with that normal. Where f is strictly convex they determine the rates of r_MC and κ.
Touch touch_of_implicit(const RigidBody& body, const Surface& surface, const Matrix& n) {
  const Matrix gamma = body.attitude.to_body(n), r_GC_B = surface.center + surface.point;
  return {body.attitude, body.attitude.w_SB_B(), r_GC_B, dot(gamma, r_GC_B), tangent(n)};
}

std::vector<Expr> conditions_on_point(const RigidBody& body, const Surface& surface, const Matrix& n) {
  const Matrix rest = surface.gradient + surface.pressure * body.attitude.to_body(n);
  return {surface.f, rest[0], rest[1], rest[2]};
}

/// v_G + ω × r_GC along a tangent: ⟨v_G, t⟩ in space axes, ⟨Ω × r_GC, t⟩ in W axes.
Expr slip(const RigidBody& body, const Touch& touch, const Matrix& t_S) {
  return dot(body.v_G_S, t_S) + dot(cross(touch.w_SB_W, touch.r_GC_W), touch.to_S.to_body(t_S));
}

Contact finished(const RigidBody& body, const Touch& touch, const Matrix& n) {
  Contact c;
  c.body = body.name;
  c.point = body.r_G_S + touch.to_S.to_space(touch.r_GC_W);
  c.normal = n;
  c.along = touch.along_S;
  c.across = cross(n, touch.along_S);
  c.slip_along = slip(body, touch, c.along);
  c.slip_across = slip(body, touch, c.across);
  c.spin = dot(touch.w_SB_W, touch.to_S.to_body(n));
  return c;
}

Touch touch_of(const RigidBody& body, const Surface& surface, const Matrix& n) {
  switch (surface.kind) {
    case Surface::Kind::sphere: return touch_of_sphere(body, surface, n);
    case Surface::Kind::disk: return touch_of_disk(body, surface, n);
    case Surface::Kind::ellipsoid: return touch_of_ellipsoid(body, surface, n);
    case Surface::Kind::implicit: return touch_of_implicit(body, surface, n);
  }
  throw Bug("a surface that touches nowhere");
}

Contact on_plane(const RigidBody& body, const Surface& surface, const Support& plane) {
  const Touch touch = touch_of(body, surface, plane.normal);
  Contact c = finished(body, touch, plane.normal);
  c.gap = dot(plane.normal, body.r_G_S) + touch.depth - plane.height;
  if (surface.kind == Surface::Kind::implicit) c.touching = conditions_on_point(body, surface, plane.normal);
  return c;
}

/// A ball of radius r in or on a cylinder of radius R: its centre keeps the distance k = R ∓ r from the axis, so the
/// normal from the wall to the ball is ∓ρ/k, ρ the centre's distance vector from the axis.
Contact on_cylinder(const RigidBody& body, const Surface& surface, const Support& cylinder) {
  if (surface.kind != Surface::Kind::sphere) {
    throw Error("unsupported-contact", "only a sphere can touch a cylinder here",
                "the contact point of other surfaces has no closed form",
                "use { sphere = … }, or write the constraint in [constraints]");
  }
  const Matrix r_M_S = body.r_G_S + body.attitude.to_space(surface.center);
  const Matrix rho = r_M_S - dot(r_M_S, cylinder.axis) * cylinder.axis;
  const Expr k = cylinder.inside ? cylinder.radius - surface.radius : cylinder.radius + surface.radius;
  const Matrix n = (cylinder.inside ? Expr(-1) : Expr(1)) * pow(k, -1) * rho;
  const Matrix r_GC_S = body.attitude.to_space(surface.center) - surface.radius * n;
  const Touch touch{Attitude(), body.attitude.w_SB_S(), r_GC_S, Expr(0), cylinder.axis};
  Contact c = finished(body, touch, n);
  c.gap = dot(rho, rho) - k * k;
  return c;
}

}  // namespace

Contact contact_point(const RigidBody& body, const Surface& surface, const Support& support) {
  Contact c = support.kind == Support::Kind::plane ? on_plane(body, surface, support)
                                                   : on_cylinder(body, surface, support);
  c.surface = surface;
  c.support = support;
  return c;
}

}  // namespace rattleback
