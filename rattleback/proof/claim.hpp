#pragma once
/// A person's own claim, decided: each with a certificate that check_certificate() verifies without this code.

#include <string>

#include <rattleback/model/system.hpp>
#include <rattleback/motion/equations.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// df/dt = 0 along every admissible motion; f in velocities or quasi-velocities.
Answer conserved_claim(const System& system, Expr f);
/// f = 0 at every admissible state.
Answer zero_claim(const System& system, Expr f);
/// ρ dq dz is invariant: Γ[ρ] + ρ div Γ = 0 for the motion Γ on (q, z).                                     (M.7)
Answer measure_claim(const System& system, Expr rho);
/// The Lagrangian, the forces and the constraints do not notice ξ.
Answer symmetry_claim(const System& system, const VectorField& xi);
/// F(q) is constant along every admissible velocity: an integral of the constraints.
Answer integral_claim(const System& system, Expr F);
/// f(q) is a Chaplygin multiplier under one of the groups that the model shows.                                (C.3)
Answer multiplier_claim(const System& system, Expr f);
/// A density or a factor of time that is 0 everywhere satisfies every linear condition and is none.
Answer refuted_as_zero();
/// Without constraints and forces this Lagrangian has the nonholonomic motions among its own: E_i(L) = 0 along them.   (C.18)
Answer lagrangian_claim(const System& system, Expr lagrangian);
/// Helmholtz' conditions hold for this matrix g(q, v): on a model without constraints, or on one of its associated systems. (C.22)
Answer hessian_claim(const System& system, const Matrix& g);
/// Two forms of the equations describe one motion.
Answer agreement_claim(const System& system, const std::string& first, const std::string& second);

/// The field that "x = -y, y = x, theta = 1" describes, in the syntax of [symmetry].
VectorField field_claimed(const System& system, const std::string& text);

/// For a sceptic: the functions, of velocities or speeds, are constant. Null where the motion has no closed form or a long one.
Data certificate_of_constants(const System& system, const std::vector<Expr>& functions);

/// div Γ on (q, z): (M.1) for the velocity, and Σ ∂ż^α/∂z^α.
Expr divergence_of(const System& system, const EquationsOfMotion& motion);

/// q ↦ q', z ↦ z', t ↦ 1.
SymbolMap along(const System& system, const EquationsOfMotion& motion);

}  // namespace rattleback
