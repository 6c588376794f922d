#pragma once
/// Sparse elimination of velocities, one at a time: O(n) for the constraints of a chain.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>

namespace rattleback {

/// An equation is used to remove a velocity that no earlier equation contains, when its coefficient cannot vanish; equations
/// with few velocities come first. The trailer's axle gives the trailer's turning rate in terms of the vehicle before it, and
/// so on: parts that equations share are rewritten once. What offers no such velocity is left for a solver of full matrices.
struct VelocityElimination {
  struct Solved {
    Symbol velocity;
    Expr value;  ///< in the velocities that are left, and those solved before it are gone
  };
  std::vector<Solved> solved;
  std::vector<Symbol> left;     ///< velocities without an equation, in their order
  std::vector<Expr> equations;  ///< left over, in the velocities that are left
};

/// Each equation e = 0 must be linear or affine in the velocities.
VelocityElimination eliminate_velocities(std::span<const Symbol> velocities, std::span<const Expr> equations);

}  // namespace rattleback
