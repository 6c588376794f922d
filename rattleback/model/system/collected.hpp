#pragma once
/// Collects an expression by velocities, Σ c_i v^i + c_0, and shortens the coefficients, which products of rotations leave long.

#include <rattleback/geometry/space.hpp>

namespace rattleback {

bool vanishes(Expr e);  ///< identically, as random points say

/// The short form of a formula that is short enough to be read; formulas with many nodes are left as they were built.
Expr tidied(Expr e);

/// Σ c_i v^i + c_0 with short coefficients, those that vanish dropped.
Expr collected(Expr e, const Space& space);

}  // namespace rattleback
