#pragma once
/// Random states in double precision, at the model's parameter values: on the position constraints, with rotation matrices that are
/// some. For checks that share no code with a proof.

#include <optional>
#include <vector>

#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

namespace rattleback {

/// Values of the parameters; 1 where the model gives none.
Numbers parameter_numbers(const System& system);

/// States (q, z) that satisfy the position constraints and the equations given besides, by Newton's method from random starts;
/// fewer than asked for where it fails to converge.
std::vector<Numbers> random_states(const System& system, const std::vector<Symbol>& speeds, int count,
                                   const std::vector<Expr>& equations = {});

/// The speeds are coordinates on D there: ∂ψ/∂z is finite and has full rank.
bool has_regular_speeds(const SolvedVelocities& v, const Numbers& state);
/// The rank of ∂C/∂v there, in double precision; nothing where ψ(q, z) is no velocity of nonlinear constraints. What is small against `size`
/// counts as 0: all slopes of sin(2*th)*x' = sin(th)*y' where th = pi, to rounding.
std::optional<int> constraint_rank(const System& system, const SolvedVelocities& v, const Numbers& state,
                                   double size = 0);
/// The largest singular value of ∂C/∂v there; 0 where that is not finite.
double size_of_constraints(const System& system, const SolvedVelocities& v, const Numbers& state);

/// The speeds are coordinates on D there, and the kinetic energy determines the accelerations: ∂ψ/∂z and G are finite and have
/// full rank.
bool is_regular_state(const ProjectedMotion& motion, const Numbers& state);

}  // namespace rattleback
