#pragma once
/// Equations of motion in the frame that moves with a symmetry group: its fixed points are the relative equilibria.

#include <vector>

#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

namespace rattleback {

/// With V = ψ^i X_i the velocity, G ż = b the equations of motion, η_a the generators of a group of symmetries and η_a^C z their
/// effect on the speeds, a state moves along the group with rates ω^a iff
///     V = ω^a η_a  in every direction that matters,   b = G ω^a η_a^C z.                                   (O.10)
struct CorotatingMotion {
  ProjectedMotion motion;
  std::vector<int> legs;           ///< of the space: the directions in which the equations change
  std::vector<VectorField> group;  ///< η_a, those that are influencing in these directions or by the speeds
  std::vector<Symbol> rates;       ///< ω^a
  Matrix lift;                     ///< η_a^C z^α at admissible velocities, r × k
  std::vector<Expr> drift;         ///< V − ω^a η_a along `legs`
  std::vector<Expr> force;         ///< b − G ω^a η_a^C z

  /// Both are zero: the relative equilibria.
  std::vector<Expr> equations() const;
};

/// The group is the largest of symmetries found that acts freely; none when the speeds are not functions of the velocities.
CorotatingMotion corotating_motion(const System& system, const SolvedVelocities& v);

/// An expression at a relative equilibrium.
using AtPoint = std::function<std::vector<Expr>(std::vector<Expr>)>;

/// The small motions on D/G, for a state that satisfies (O.10): with the directions T across the orbit and δ(V − ωη) = η ε + T ρ,
///     δσ' = ρ,   M δz' + C δz + K δσ = 0,   C δz + K δσ = −δ(b − G ω^a η_a^C z) + G ε^a η_a^C z:             (O.11)
/// the linearisation of the motion minus that of the group, divided by the tangent space of the orbit.
Linearisation corotating_linearisation(const System& system, const SolvedVelocities& v,
                                       const CorotatingMotion& corotating, const AtPoint& at);

}  // namespace rattleback
