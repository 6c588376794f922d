#pragma once
/// The Lagrange–d'Alembert–Poincaré equations on D/G, and the reconstruction of the motion above them.

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/symmetry/reduction.hpp>

namespace rattleback {

/// In an invariant frame of D, of which (R.6) and (R.7) are the two parts when it is adapted,
///     d/dt ∂l_c/∂v^α = X_α[l_c] − c_αβ^m v^β ∂l/∂v^m + Q_α.                                                 (R.8)
/// The steps show the adapted frame, Υ, K, R and C̄, the momentum equation and the shape; the rates of the configuration are
/// the reconstruction q' = v^α X_α. Without constraints these are the Lagrange–Poincaré equations.
EquationsOfMotion reduced_equations(const System& system);

/// Functions of the configuration that the group leaves as they are, with their rates: the shape of the system.
std::vector<Statement> shape(const System& system, const Reduction& reduction);

}  // namespace rattleback
