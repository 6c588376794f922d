#pragma once
/// Axles of a chain of links in the plane, read from the constraints: which way each heads, and where it is.

#include <cstddef>
#include <optional>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// A wheel's constraint: its axle P does not move along (−sin θ, cos θ).
struct WheelAxle {
  std::vector<int> turns;  ///< θ = Σ_j turns_j q_j
  Expr heading;
  std::vector<Expr> arm;  ///< P = (x, y) + Σ_j arm_j e(θ_j), j along the chain
};

struct WheelAxles {
  int x = 0, y = 0;              ///< velocities of the frame
  std::vector<int> angles;       ///< the others
  std::vector<WheelAxle> axles;  ///< along the chain
  Matrix from_headings;          ///< q' = from_headings θ'
  SymbolMap at_zero;             ///< all angles 0
  SymbolMap
      in_headings;  ///< q by headings in new letters: proofs then deal with pairs of angles instead of sums of all
  std::vector<Expr> defects;  ///< vanish where the constraints are those of the axles
};

/// At least three constraints that fit, and a path from hitch to hitch along which every hitch is off the next axle. Nothing for others.
std::optional<WheelAxles> wheel_axles(const System& system);

/// q_j' = Σ_k shares_k θ_k', k along the chain.
std::vector<Expr> shares(const WheelAxles& geometry, std::size_t j);

}  // namespace rattleback
