#pragma once
/// Wheels that roll along with the links of a chain: their angles follow from the motion of the links, and their turning adds to the inertia
/// of these.

#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The angle a stands in one constraint only, with a constant factor, and in the energy as J/2 a'^2.
struct RolledWheel {
  Symbol angle, velocity;
  Expr rate;     ///< a' as the constraint gives it, in the velocities that are left
  Expr inertia;  ///< J
  Expr force;    ///< on a
};

struct WithoutWheels {
  System system;  ///< its space, energy, forces and constraints are those of the links alone
  std::vector<RolledWheel> wheels;
  std::vector<Expr> defects;  ///< vanish where L is that of the links and Σ J/2 a'^2
};

/// The same system without wheels where there are none. Constraints that the others imply are dropped beside wheels: two wheels on an axle
/// forbid the same.
WithoutWheels without_wheels(const System& system);

}  // namespace rattleback
