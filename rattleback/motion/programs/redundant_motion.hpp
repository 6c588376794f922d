#pragma once
/// Equations in all velocities of the frame, for constraints whose frames have poles; a run projects the velocities back onto the
/// constraint.

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

struct RedundantMotion {
  EquationsOfMotion equations;  ///< the speeds are the v^i themselves
  std::vector<Expr>
      projected;  ///< v^i − (M̃⁻¹Aᵀ S⁻¹ C)^i: back onto the constraint, in the metric of the energy
};

/// M v̇ = b + Aᵀλ and A v̇ = −c, solved with M̃ = M + AᵀA, which is positive wherever the motion is determined:
///     v̇ = w − X S⁻¹(c + A w),   w = M̃⁻¹ b,  X = M̃⁻¹Aᵀ,  S = A X.                                     (S.7)
/// AᵀA v̇ = −Aᵀc only shifts λ. Throws Error[degenerate-energy].
RedundantMotion redundant_motion(const System& system);

}  // namespace rattleback
