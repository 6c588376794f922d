#pragma once
/// Rigid bodies, and the points where their surfaces touch the ground or each other.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/rotation_chain.hpp>

namespace rattleback {

/// G is the mass centre, S the axes of space, B those of the body.
struct RigidBody {
  std::string name;
  Expr mass;
  Matrix inertia;     ///< about G, in body axes
  Matrix r_G_S;       ///< position of G
  Attitude attitude;  ///< B → S
  Matrix v_G_S;       ///< velocity of G
  Place place;
};

/// ½ m |v_G|² + ½ ⟨I Ω, Ω⟩.
Expr kinetic_energy(const RigidBody& body);

/// The shape of a body where it touches; `center` and axes in body axes, from the mass centre.
struct Surface {
  enum class Kind : std::uint8_t { sphere, disk, ellipsoid, implicit, parametric, cylinder, cone };
  Kind kind = Kind::sphere;
  Matrix center;  ///< r_GM_B, M the centre of the surface
  Expr radius;    ///< sphere, disk, cylinder
  Expr crown;     ///< disk: radius of its rim across; 0 for an edge
  Matrix axis;    ///< disk, cylinder, cone: a unit vector
  Expr
      angle;  ///< cone: between its axis and its generators; M is its apex, `radius` how far from it the force acts
  Matrix semiaxes, axes;    ///< ellipsoid: a, b, c, and A from its axes to body axes
  Matrix semiaxes_squared;  ///< ellipsoid: D = A diag(a², b², c²) Aᵀ
  /// implicit: f < 0 inside, at the point r_MC_B whose three coordinates belong to the space, with ∇f = −pressure·γ there.
  Matrix point, gradient;
  Expr f, pressure;
  /// parametric: `point` is r_MC_B over two coordinates of the space, and `gradient` is ∂point/∂p × ∂point/∂q.
  Matrix parameters;
};

/// What the body stands on: a surface that rests in space, or in another body. All in the axes of that body, from its mass centre.
struct Support {
  enum class Kind : std::uint8_t {
    plane,
    cylinder,
    sphere,
    cone,
    torus,
    revolution,
    graph,
    implicit,
    parametric,
    curve
  };
  Kind kind = Kind::plane;
  std::string body;  ///< that carries the surface; empty: the ground
  Matrix normal;     ///< unit vector towards the body: of a plane, or at the contact coordinates
  Expr height;       ///< plane: ⟨normal, point⟩ = height
  Expr radius;       ///< cylinder, sphere, torus
  Expr tube;         ///< torus, curve: radius of the tube
  Expr angle;        ///< cone: likewise
  Matrix axis;       ///< cylinder, cone, torus, revolution: unit vector
  Matrix center;     ///< a point of the axis; of a cone its apex
  bool inside = true;
  /// Where the point of contact does not follow from the pose of the body, its coordinates on the surface belong to the space.
  Matrix coordinates;
  Matrix point, along;  ///< at these coordinates; `along` is a unit tangent
  Expr f;               ///< implicit: vanishes at the point
  Matrix drawn;         ///< the values over which a picture shows the coordinates: from, to; one row each
};

/// One point of contact C and the directions in which it pushes, all in space axes.
struct Contact {
  std::string name, body;
  Surface surface;
  Support support;
  Matrix point;                  ///< r_C_S
  Matrix normal, along, across;  ///< orthonormal
  Expr slip_along,
      slip_across;  ///< of v_G + ω × r_GC, the velocity of the body's material point at C, less the support's
  Expr gap;         ///< vanishes in contact
  Expr spin;        ///< ⟨ω, normal⟩, less the support's
  /// Rollers on the rim: the angle γ between their axes at C and `across`, where they are neither across nor along.
  std::optional<Expr> roller;
  std::vector<Expr> touching;  ///< these vanish at the point of contact, where coordinates describe it
  /// Bodies that the contact places: joints connect them with its body, and nothing but contacts connects them with others.
  std::vector<std::string> carried;
  Place place;
};

/// The reaction that a contact's constraint exerts: a force along a direction, or a torque about the normal.
struct ContactReaction {
  enum class Direction : std::uint8_t { normal, along, across, roller, spin };
  std::string contact;
  Direction direction = Direction::normal;
};

/// cos γ across + sin γ along, and how fast the contact slips in this direction, which rollers forbid.
Matrix roller_axis(const Contact& contact);
Expr slip_along_rollers(const Contact& contact);

/// Where the body touches, and how that point moves; `under` is the body that carries the support, null for the ground. Throws
/// Error[unsupported-contact].
Contact contact_point(const RigidBody& body, const Surface& surface, const Support& support,
                      const RigidBody* under = nullptr);

/// r_GC_S: from where `center` of the surface is measured to the point whose inward normal is n, a unit vector in space axes.
Matrix point_with_normal(const Attitude& attitude, const Surface& surface, const Matrix& n);
/// The same in body axes, as a function of γ = n in body axes; for surfaces that are neither implicit nor parametric.
Matrix point_over_normal(const Surface& surface, const Matrix& gamma);

/// A unit vector across n, constant where n is: e2, e3, e1 for e1, e2, e3.
Matrix constant_tangent(const Matrix& n);
/// e1 carried along by the shortest rotation from e3 to n: e1 − n_1/(1 + n_3) (n + e3), singular at n = −e3 only.
Matrix carried_tangent(const Matrix& n);

}  // namespace rattleback
