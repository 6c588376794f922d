#pragma once
/// Rigid bodies, and the points where their surfaces touch the ground.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/rotation_chain.hpp>

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

/// The shape of a body near the ground; `center` and axes in body axes, from the mass centre.
struct Surface {
  enum class Kind : std::uint8_t { sphere, disk, ellipsoid, implicit };
  Kind kind = Kind::sphere;
  Matrix center;            ///< r_GM_B, M the centre of the surface
  Expr radius;              ///< sphere, disk
  Matrix axis;              ///< disk: a unit vector
  Matrix semiaxes, axes;    ///< ellipsoid: a, b, c, and A from its axes to body axes
  Matrix semiaxes_squared;  ///< ellipsoid: D = A diag(a², b², c²) Aᵀ
  /// implicit: f < 0 inside, at the point r_MC_B whose three coordinates belong to the space, with ∇f = −pressure·γ there.
  Matrix point, gradient;
  Expr f, pressure;
};

/// What the body stands on.
struct Support {
  enum class Kind : std::uint8_t { plane, cylinder };
  Kind kind = Kind::plane;
  Matrix normal;  ///< plane: unit vector towards the body
  Expr height;    ///< plane: ⟨normal, point⟩ = height
  Expr radius;    ///< cylinder
  Matrix axis;    ///< cylinder: unit vector
  bool inside = true;
};

/// One point of contact C and the directions in which it pushes, all in space axes.
struct Contact {
  std::string name, body;
  Surface surface;
  Support support;
  Matrix point;                  ///< r_C_S
  Matrix normal, along, across;  ///< orthonormal
  Expr slip_along, slip_across;  ///< of v_G + ω × r_GC, the velocity of the body's material point at C
  Expr gap;                      ///< vanishes in contact
  Expr spin;                     ///< ⟨ω, normal⟩
  std::vector<Expr> touching;    ///< implicit surfaces: these vanish at the point of contact
  Place place;
};

/// The reaction that a contact's constraint exerts: a force along a direction, or a torque about the normal.
struct ContactReaction {
  enum class Direction : std::uint8_t { normal, along, across, spin };
  std::string contact;
  Direction direction = Direction::normal;
};

/// Where the body touches, and how that point moves. Throws Error[unsupported-contact].
Contact contact_point(const RigidBody& body, const Surface& surface, const Support& support);

}  // namespace rattleback
