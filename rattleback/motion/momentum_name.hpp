#pragma once
/// Momenta beside what the model names.

#include <rattleback/motion/invented_symbol.hpp>
#include <rattleback/motion/kinematics.hpp>

namespace rattleback {

/// p_x for the speed x', p_u for u; p_x_ when the model has a p_x of its own.
inline Symbol momentum_of(const System& system, Symbol speed) {
  const Symbol p = momentum_of(speed);
  return invented_symbol(system, p.name(), p.attributes());
}

}  // namespace rattleback
