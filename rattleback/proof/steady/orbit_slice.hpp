#pragma once
/// Configurations that meet every orbit of a group, or nearly every one.

#include <vector>

#include <rattleback/proof/steady/corotating_motion.hpp>

namespace rattleback {

struct OrbitSlice {
  SymbolMap values;  ///< fixed coordinates, entries of rotation matrices as functions of what is open
  std::vector<Symbol> fixed;      ///< coordinates that the group brings to the value they have here
  std::vector<Symbol> open;       ///< unknowns that are left: coordinates on which the rates depend, γ, the angle of a rotation
  std::vector<Symbol> direction;  ///< γ1, γ2, γ3 when a unit vector determines a rotation matrix
  int along = -1;                 ///< the leg along which the angle of a rotation turns
  bool whole = true;  ///< false: a rotation matrix was put at 1 although the group does not bring it there
  std::vector<Symbol> pinned =
      {};  ///< coordinates that have their value here because no other slice reaches the configuration
  std::vector<Expr> also =
      {};  ///< further equations of this slice: its orbits do not meet the others
};

/// By the orbits' dimension in SO(3): B = 1 when it is three, B = Rx(tilt) and its like when it is two, and when it is one
///     B(γ) = [[1 − γ₁²/(1 + γ₃), −γ₁γ₂/(1 + γ₃), −γ₁], [−γ₁γ₂/(1 + γ₃), 1 − γ₂²/(1 + γ₃), −γ₂], [γ₁, γ₂, γ₃]]   (O.12)
/// with γ in the row or column that the group leaves alone; γ₃ = −1, where that has a pole, is a slice of its own.
///
/// Coordinates are fixed where the minor Δ of the generators that moves them does not vanish. Orbits on which Δ = 0 throughout, those
/// with Δ = η_a[Δ] = η_b[η_a[Δ]] = … = 0, η the generators, do not meet these; they have a slice of their own.        (O.13)
std::vector<OrbitSlice> orbit_slices(const System& system, const CorotatingMotion& corotating);

}  // namespace rattleback
