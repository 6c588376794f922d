#pragma once
/// The Cartan two-form on the constraint, and the vector field Z_f that it assigns to a function f: f is a first integral iff Z_f(E) = 0.

#include <vector>

#include <rattleback/geometry/form.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// On D, with functions q and speeds z: θ = ∂L/∂v^i θ^i, ω = +dθ, and D̃ = span{X_α, ∂/∂z^α}.                  (Z.1)
/// D̃ consists of the tangent vectors to D whose projections to Q are admissible; ω is regular on it.
struct CartanForm {
  Space phase;  ///< the functions of Q and the speeds, frame (X_1, …, X_n, ∂/∂z^1, …)
  std::vector<VectorField> legs;  ///< X_α, then ∂/∂z^α
  OneForm theta;
  Form omega;
  Matrix on_legs;  ///< ω(U_a, U_b)
  Expr energy;
};
/// For linear constraints.
CartanForm cartan_form(const System& system, const Admissible& D);

/// Z_f in D̃ with ω(Z_f, U) = U(f) for all U in D̃.                                                          (Z.2)
VectorField cartan_field(const CartanForm& form, Expr f);

/// Γ in D̃ with ω(Γ, U) = −U(E): the motion. Γ = −Z_E, so Γ(f) = Z_f(E), and f is a first integral iff Z_f(E) = 0.  (Z.3)
VectorField motion(const CartanForm& form);

/// ε(Z) = ω(Γ, Z) + Z(E) for Z tangent to D: the reaction on Z, zero for Z in D̃.                            (Z.4)
Expr reaction_on(const CartanForm& form, const VectorField& motion, const VectorField& Z);

/// A field of Q that leaves D invariant, as a field on D: its complete lift, in the speeds.
VectorField lifted_to(const CartanForm& form, const Admissible& D, const VectorField& xi);

}  // namespace rattleback
