#include <rattleback/model/system/contact.hpp>

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

Matrix constant_tangent(const Matrix& n) {
  if (const int k = axis_index(n); k >= 0) return unit_vector((k + 1) % 3);
  if (n[0].is_zero() && n[1].is_zero()) return unit_vector(0);  // downwards
  const std::vector<Expr> level{n[1], -n[0], Expr(0)};
  return pow(sqrt(n[0] * n[0] + n[1] * n[1]), -1) * Matrix::column(level);
}

Matrix carried_tangent(const Matrix& n) {
  const Expr k = n[0] * pow(1 + n[2], -1);
  const std::vector<Expr> t{1 - k * n[0], -k * n[1], -n[0]};
  return Matrix::column(t);
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

/// r_MC = −radius·n, in space axes.
Touch touch_of_sphere(const Attitude& attitude, const Surface& surface, const Matrix& n,
                      const Matrix& along) {
  const Matrix r_GM_S = attitude.to_space(surface.center);
  return {Attitude(), attitude.w_SB_S(), r_GM_S - surface.radius * n, dot(n, r_GM_S) - surface.radius, along};
}

/// r_MC = −Dγ/√⟨γ, Dγ⟩, the support point of the ellipsoid ⟨r, D⁻¹r⟩ = 1, in body axes; γ is the normal there.
Touch touch_of_ellipsoid(const Attitude& attitude, const Surface& surface, const Matrix& n,
                         const Matrix& along) {
  const Matrix gamma = attitude.to_body(n), Dgamma = surface.semiaxes_squared * gamma;
  const Expr s = sqrt(dot(gamma, Dgamma));
  return {attitude, attitude.w_SB_B(), surface.center - pow(s, -1) * Dgamma, dot(gamma, surface.center) - s,
          along};
}

/// The lowest point of a circle about the axis a: r_MC = −radius·(γ − ⟨γ, a⟩a)/s, s the length of that vector, in axes
/// that do not turn with the disk about its own axle. `along` is the direction in which it rolls, a × n/s. A rim of radius c across is a
/// circle of radius − c with a sphere of radius c about each of its points.
Touch touch_of_disk(const Attitude& attitude, const Surface& surface, const Matrix& n) {
  const Matrix& a = surface.axis;
  const bool centred = cross(surface.center, a) == Matrix(3, 1);
  Attitude to_S = attitude;
  Matrix w_SB_W = to_S.w_SB_B();
  if (centred && !to_S.joints().empty() && to_S.joints().back().axis >= 0 &&
      to_S.joints().back().axis == axis_index(a)) {
    to_S = attitude.shortened();
    w_SB_W = to_S.w_SB_B() + attitude.joints().back().rate;
  }
  const Matrix gamma = to_S.to_body(n);
  const Expr s = length_across(gamma, a), core = surface.radius - surface.crown;
  const Matrix down = -pow(s, -1) * (gamma - dot(gamma, a) * a);
  return {to_S, w_SB_W, surface.center + core * down - surface.crown * gamma,
          dot(gamma, surface.center) - core * s - surface.crown, pow(s, -1) * cross(to_S.to_space(a), n)};
}

/// r_MC is a point of the space, made the lowest one of f = 0 by the conditions f = 0 and ∇f = −κγ; κ > 0 selects the lower
/// of the two points with that normal. Where f is strictly convex they determine the rates of r_MC and κ. A parametric surface has the
/// conditions ⟨∂r/∂p, γ⟩ = ⟨∂r/∂q, γ⟩ = 0.
Touch touch_of_point(const Attitude& attitude, const Surface& surface, const Matrix& n, const Matrix& along) {
  const Matrix gamma = attitude.to_body(n), r_GC_B = surface.center + surface.point;
  return {attitude, attitude.w_SB_B(), r_GC_B, dot(gamma, r_GC_B), along};
}

std::vector<Expr> conditions_on_point(const Attitude& attitude, const Surface& surface, const Matrix& n) {
  const Matrix gamma = attitude.to_body(n);
  if (surface.kind == Surface::Kind::implicit) {
    const Matrix rest = surface.gradient + surface.pressure * gamma;
    return {surface.f, rest[0], rest[1], rest[2]};
  }
  if (surface.kind != Surface::Kind::parametric) return {};
  std::vector<Expr> conditions;
  for (const Expr p : surface.parameters.entries())
    conditions.push_back(dot(derivative(surface.point, p.symbol()), gamma));
  return conditions;
}

Touch touch_of(const Attitude& attitude, const Surface& surface, const Matrix& n, const Matrix& along) {
  switch (surface.kind) {
    case Surface::Kind::sphere: return touch_of_sphere(attitude, surface, n, along);
    case Surface::Kind::cylinder:
    case Surface::Kind::disk: return touch_of_disk(attitude, surface, n);
    case Surface::Kind::ellipsoid: return touch_of_ellipsoid(attitude, surface, n, along);
    case Surface::Kind::implicit:
    case Surface::Kind::parametric: return touch_of_point(attitude, surface, n, along);
    case Surface::Kind::cone: break;  // on_cone() knows what it touches
  }
  throw Bug("a surface that touches nowhere");
}

/// Velocity of the support's material point at C.
Matrix support_velocity(const RigidBody* under, const Matrix& C) {
  if (under == nullptr) return {3, 1};
  return under->v_G_S + cross(under->attitude.w_SB_S(), C - under->r_G_S);
}

/// v_G + ω × r_GC along a tangent, less the support's: ⟨v_G, t⟩ in space axes, ⟨Ω × r_GC, t⟩ in W axes.
Expr slip(const RigidBody& body, const Touch& touch, const Matrix& t_S, const Matrix& v_support) {
  return dot(body.v_G_S, t_S) + dot(cross(touch.w_SB_W, touch.r_GC_W), touch.to_S.to_body(t_S)) -
         dot(v_support, t_S);
}

Contact finished(const RigidBody& body, const Touch& touch, const Matrix& n, const RigidBody* under,
                 const Matrix& point) {
  Contact c;
  c.body = body.name;
  c.point = point;
  c.normal = n;
  c.along = touch.along_S;
  c.across = cross(n, touch.along_S);
  const Matrix v = support_velocity(under, point);
  c.slip_along = slip(body, touch, c.along, v);
  c.slip_across = slip(body, touch, c.across, v);
  c.spin = dot(touch.w_SB_W, touch.to_S.to_body(n));
  if (under != nullptr) c.spin -= dot(under->attitude.w_SB_S(), n);
  return c;
}

Matrix in_space(const RigidBody* under, const Matrix& v) {
  return under == nullptr ? v : under->attitude.to_space(v);
}
Matrix point_in_space(const RigidBody* under, const Matrix& r) {
  return under == nullptr ? r : under->r_G_S + under->attitude.to_space(r);
}

Contact on_plane(const RigidBody& body, const Surface& surface, const Support& plane,
                 const RigidBody* under) {
  const Matrix n = in_space(under, plane.normal);
  if (surface.kind == Surface::Kind::cylinder && !vanishes(dot(n, body.attitude.to_space(surface.axis))))
    throw Error("unsupported-contact", "a cylinder whose axis is not parallel to the plane",
                "it would touch with an edge", "use { disk = …, axis = …, center = … } for each edge");
  const Touch touch = touch_of(body.attitude, surface, n, in_space(under, constant_tangent(plane.normal)));
  Contact c = finished(body, touch, n, under, body.r_G_S + touch.to_S.to_space(touch.r_GC_W));
  const Matrix from = under == nullptr ? body.r_G_S : body.r_G_S - under->r_G_S;
  c.gap = dot(n, from) + touch.depth - plane.height;
  c.touching = conditions_on_point(body.attitude, surface, n);
  return c;
}

/// The normal of a round support through the centre M of a ball, and what vanishes when M has the right distance. d runs from the
/// support's centre to M, in its axes; ρ is the part of d across its axis a.
struct RoundNormal {
  Matrix normal, along;
  Expr gap;
};

/// sphere: |d| = k, n = ±d/k. cylinder: |ρ| = k, n = ±ρ/k; k = R ± r. torus: |d − Rρ/|ρ|| = k, k = tube ± r. cone of half-angle α: ρ cos α − z sin α = ±r.
RoundNormal round_normal(const Support& s, const Matrix& d, Expr r) {
  const Expr sign(s.inside ? -1 : 1);
  const Expr z = s.axis.rows() == 0 ? Expr(0) : dot(d, s.axis);
  const Matrix rho = s.axis.rows() == 0 ? d : d - z * s.axis;
  if (s.kind == Support::Kind::sphere || s.kind == Support::Kind::cylinder) {
    const bool ball = s.kind == Support::Kind::sphere;
    const Matrix& from = ball ? d : rho;
    const Expr k = s.radius + sign * r;
    const Matrix n = sign * pow(k, -1) * from;
    return {n, ball ? carried_tangent(n) : s.axis, dot(from, from) - k * k};
  }
  const Expr size = sqrt(dot(rho, rho));
  const Matrix e = pow(size, -1) * rho;
  if (s.kind == Support::Kind::cone) {
    const Matrix outwards = cos(s.angle) * e - sin(s.angle) * s.axis;
    return {sign * outwards, sin(s.angle) * e + cos(s.angle) * s.axis,
            sign * (cos(s.angle) * size - sin(s.angle) * z) - r};
  }
  const Matrix from = d - s.radius * e;
  const Expr k = s.tube + sign * r;
  return {sign * pow(k, -1) * from, cross(s.axis, e), dot(from, from) - k * k};
}

/// A ball on a round surface, or a cylinder on one whose axis is parallel to its own.
Contact on_round(const RigidBody& body, const Surface& surface, const Support& support,
                 const RigidBody* under) {
  const Matrix r_M_S = body.r_G_S + body.attitude.to_space(surface.center);
  const Matrix from = under == nullptr ? r_M_S : under->attitude.to_body(r_M_S - under->r_G_S);
  const RoundNormal round = round_normal(support, from - support.center, surface.radius);
  const Matrix n = in_space(under, round.normal);
  Touch touch = touch_of_sphere(body.attitude, surface, n, in_space(under, round.along));
  if (surface.kind == Surface::Kind::cylinder) {
    const Matrix a = body.attitude.to_space(surface.axis);
    const Matrix twisted = cross(a, in_space(under, support.axis));
    if (!vanishes(dot(twisted, twisted)))
      throw Error("unsupported-contact", "a cylinder on a cylinder whose axis is not parallel",
                  "two cylinders that are not parallel touch in a point that moves along both",
                  "use { disk = …, axis = … } for the edge, or a ball, an ellipsoid or a disk with a crown");
    touch.along_S = cross(a, n);
  }
  Contact c = finished(body, touch, n, under, r_M_S - surface.radius * n);
  c.gap = round.gap;
  return c;
}

/// A cone of half-angle α about b on a cone of half-angle β about a, or on a plane, which is a cone of half-angle π/2 about −n: with one apex they
/// touch along a generator in the plane of their axes, where ⟨a, b⟩ = cos κ, κ = β + α outside and β − α inside:
///     e = (b − ⟨a, b⟩ a)/sin κ,   n = ±(cos β e − sin β a),   r_C = r_apex + l (sin β e + cos β a).
/// At all points of the generator the bodies then have the same velocity when they have it at one of them.
Contact on_cone(const RigidBody& body, const Surface& surface, const Support& support,
                const RigidBody* under) {
  const bool flat = support.kind == Support::Kind::plane;
  const auto refuse = [](const std::string& what, const std::string& why) {
    throw Error(
        "unsupported-contact", what, why,
        "hold both apexes in one point by joints, or use { disk = …, axis = …, center = … } for its edge");
  };
  if (!flat && support.kind != Support::Kind::cone)
    refuse("a cone that need not touch along a line",
           "it rolls on cones and planes that its apex belongs to");
  const Matrix apex = body.r_G_S + body.attitude.to_space(surface.center);
  const Matrix from = under == nullptr ? apex : apex - under->r_G_S;
  if (flat) {
    if (!vanishes(dot(in_space(under, support.normal), from) - support.height))
      refuse("a cone whose apex is not in the plane that it rolls on",
             "it would touch in a point, not along a line");
  } else {
    for (const Expr e : (apex - point_in_space(under, support.center)).entries())
      if (!vanishes(e))
        refuse("a cone on a cone with another apex", "they would touch in a point that moves along both");
  }
  const Expr beta = flat ? pi() / 2 : support.angle;
  const Expr kappa = support.inside ? beta - surface.angle : beta + surface.angle;
  const Expr sign(support.inside ? -1 : 1), l = surface.radius;
  const Matrix a = in_space(under, flat ? Expr(-1) * support.normal : support.axis);
  const Matrix b = body.attitude.to_space(surface.axis);
  const Matrix e = pow(sin(kappa), -1) * (b - cos(kappa) * a);
  const Matrix n = flat ? Expr(-1) * a : sign * (cos(beta) * e - sin(beta) * a);
  const Matrix u = flat ? e : sin(beta) * e + cos(beta) * a, r_apex_C = l * u;
  const Touch touch{Attitude(), body.attitude.w_SB_S(), apex - body.r_G_S + r_apex_C, Expr(0), cross(u, n)};
  Contact c = finished(body, touch, n, under, apex + r_apex_C);
  c.across = u;  // where the gap is not closed n × along is not: slipping along u vanishes identically
  c.slip_across = slip(body, touch, u, support_velocity(under, c.point));
  c.gap = dot(a, b) - cos(kappa);
  return c;
}

/// C on the body, with the support's normal there, meets the support's point: their difference has no part along the normal (the gap)
/// and none along the tangents.                                                                     (A.12)
Contact on_coordinates(const RigidBody& body, const Surface& surface, const Support& support,
                       const RigidBody* under) {
  if (surface.kind == Surface::Kind::cylinder)
    throw Error("unsupported-contact", "a cylinder that need not touch along a line",
                "it rolls on planes along its axis and on parallel cylinders, and joints have to keep it so",
                "add the joints that guide it, or use { disk = …, axis = … } for its edge");
  const Matrix n = in_space(under, support.normal);
  const Touch touch = touch_of(body.attitude, surface, n, in_space(under, support.along));
  const Matrix C = point_in_space(under, support.point);
  Contact c = finished(body, touch, n, under, C);
  const Matrix apart = body.r_G_S + touch.to_S.to_space(touch.r_GC_W) - C;
  const Matrix apart_B = under == nullptr ? apart : under->attitude.to_body(apart);
  c.gap = dot(support.normal, apart_B);
  c.touching = conditions_on_point(body.attitude, surface, n);
  if (support.kind == Support::Kind::implicit) {
    c.touching.push_back(support.f);
    for (const Matrix& t : {support.along, cross(support.normal, support.along)})
      c.touching.push_back(dot(t, apart_B));
    return c;
  }
  for (int k = 0; k < 2; ++k) {
    const bool around = support.kind == Support::Kind::curve && k == 1;  // a thin curve does not move then
    c.touching.push_back(
        dot(derivative(around ? support.normal : support.point, support.coordinates[k].symbol()), apart_B));
  }
  return c;
}

}  // namespace

Matrix point_with_normal(const Attitude& attitude, const Surface& surface, const Matrix& n) {
  const Touch touch = touch_of(attitude, surface, n, Matrix(3, 1));
  return touch.to_S.to_space(touch.r_GC_W);
}

Matrix point_over_normal(const Surface& surface, const Matrix& gamma) {
  return touch_of(Attitude(), surface, gamma, Matrix(3, 1)).r_GC_W;
}

Matrix roller_axis(const Contact& contact) {
  return cos(*contact.roller) * contact.across + sin(*contact.roller) * contact.along;
}

Expr slip_along_rollers(const Contact& contact) {
  return cos(*contact.roller) * contact.slip_across + sin(*contact.roller) * contact.slip_along;
}

Contact contact_point(const RigidBody& body, const Surface& surface, const Support& support,
                      const RigidBody* under) {
  Contact c = surface.kind == Surface::Kind::cone    ? on_cone(body, surface, support, under)
              : support.coordinates.rows() > 0       ? on_coordinates(body, surface, support, under)
              : support.kind == Support::Kind::plane ? on_plane(body, surface, support, under)
                                                     : on_round(body, surface, support, under);
  c.surface = surface;
  c.support = support;
  return c;
}

}  // namespace rattleback
