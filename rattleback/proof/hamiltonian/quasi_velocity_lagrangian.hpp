#pragma once
/// The unconstrained Lagrangian in quasi-velocities that belongs to a multiplier.

#include <vector>

#include <rattleback/motion/forms/chaplygin.hpp>

namespace rattleback {

/// With q̇ = f ω and ℒ(q, ω) = L(q, f ω), for an abelian Chaplygin system with a multiplier f,
///     ℒ_V = ℒ − (∂ℒ/∂ω^a)(ω^a + A^a_α ω^α),   d/dt ∂ℒ_V/∂ω^i − f ∂ℒ_V/∂q^i = 0                           (C.26)
/// has the nonholonomic motions among its own: those that start on the constraint.
struct QuasiVelocityLagrangian {
  std::vector<Symbol> omega;
  Expr lagrangian;            ///< ℒ_V(q, ω)
  std::vector<Expr> momenta;  ///< ∂ℒ_V/∂ω^i
  Verdict restricts;          ///< (C.26) along the nonholonomic motion
};
/// Throws Error[form-does-not-apply] when the reduction is not one by cyclic coordinates.
QuasiVelocityLagrangian quasi_velocity_lagrangian(const Chaplygin& reduction, Expr f);

}  // namespace rattleback
