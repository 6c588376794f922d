#pragma once
/// Functions of the velocities with short coefficients, as products of rotations do not leave them.

#include <rattleback/geometry/space.hpp>

namespace rattleback {

bool vanishes(Expr e);  ///< identically, as random points say

/// A short form where somebody may read it: formulas with many nodes are left as they were built.
Expr tidied(Expr e);

/// Σ c_i v^i + c_0 with short coefficients, those that vanish dropped.
Expr collected(Expr e, const Space& space);

}  // namespace rattleback
