#pragma once
/// The variational ("vakonomic") equations: another motion, the one that makes the action stationary among admissible curves.

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// L_V = L − μ_a C^a, Euler–Lagrange in q and μ:                                                            (K.1)
///     E_i(L) = μ̇_a ∂C^a/∂v^i + μ_a E_i(C^a) + Q_i,   C^a = 0.                                               (K.2)
/// The state is the configuration, the speeds and the multipliers, whose initial values are free. For constraints that
/// are not linear or affine the speeds are all velocities of the frame.
///
/// Sign: with minus, μ̇_a is the reaction λ_a wherever μ_a E_i(C^a) vanishes.
EquationsOfMotion vakonomic_equations(const System& system);

}  // namespace rattleback
