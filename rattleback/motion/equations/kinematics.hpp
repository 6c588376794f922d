#pragma once
/// The first half of the equations of motion, common to all forms: how the configuration follows the speeds.

#include <string>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// f' = V[f] for every function of the configuration, V = y + z^α X_α; the rates of the speeds are left to the form.
EquationsOfMotion kinematics(const System& system, const Admissible& D, const std::string& form);

/// The error of a form that needs linear or affine constraints: Error[form-does-not-apply] from [nonlinear-constraint].
Inapplicable needs_linear_constraints(const NonlinearConstraint& nonlinear);
/// admissible_velocities() for such a form.
Admissible linear_velocities(const System& system);

/// Q_i at v = ψ(q, z), one for each leg; zeros when the model has no forces.
std::vector<Expr> forces_on(const System& system, const SymbolMap& psi);

/// p_i = ∂L/∂v^i at v = ψ(q, z).
std::vector<Expr> momenta_on(const System& system, const SymbolMap& psi);

/// The coordinate of a leg where it is ∂/∂q, otherwise its velocity: how indices are printed.
std::string leg_name(const Space& space, int i);

/// p_x for the speed x', p_u for u.
Symbol momentum_of(Symbol speed);

}  // namespace rattleback
