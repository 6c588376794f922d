#pragma once
/// Lagrange's equations in a frame, sorted by accelerations: M_ij v̇^j = b_i + R_i.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// M_ij = ∂²L/∂v^i∂v^j and b_i = X_i L − C_il^m v^l p_m + Q_i − (dp_i/dt at v̇ = 0), with p_i = ∂L/∂v^i.     (A.1)
///
/// For L = ½ g_ij q̇^i q̇^j − V in coordinates, b_i = Q_i − ∂_i V − Γ_hki q̇^h q̇^k. No Christoffel symbol is formed:
/// dp_i/dt is one derivative along the motion.
struct LagrangeEquations {
  Matrix mass;   ///< M, n × n
  Matrix force;  ///< b, n × 1
};
LagrangeEquations lagrange_equations(const System& system, Expr lagrangian, std::span<const Expr> forces);
LagrangeEquations lagrange_equations(const System& system);

/// df/dt along v, with all velocities held: v^i X_i f + ∂f/∂t.
std::vector<Expr> rates_at_constant_velocity(const System& system, std::span<const Expr> fs);

/// C^a(q, v, t), one for each constraint.
std::vector<Expr> constraint_functions(const System& system);

}  // namespace rattleback
