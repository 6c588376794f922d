#pragma once
/// Names of momenta that do not clash with names of the model: p_x, or p_x_ where the model has a p_x.

#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {

/// p_x for the speed x', p_u for u; p_x_ when the model has a p_x of its own.
inline Symbol momentum_of(const System& system, Symbol speed) {
  const Symbol p = momentum_of(speed);
  return invented_symbol(system, p.name(), p.attributes());
}

}  // namespace rattleback
