#pragma once
/// The derivation of Lagrange's equations with multipliers, step by step, for --steps.

#include <rattleback/motion/equations/reactions.hpp>

namespace rattleback {

/// R = d/dt ∂L/∂v − …, R = Aᵀλ, and the differentiated constraints: as many equations as there are accelerations and
/// multipliers.                                                  (A.1)–(A.3)
std::vector<Step> multiplier_steps(const System& system, const ConstraintRows& rows);

}  // namespace rattleback
