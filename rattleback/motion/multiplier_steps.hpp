#pragma once
/// The derivation of Lagrange's equations with multipliers, step by step, for --steps.

#include <rattleback/motion/reactions.hpp>

namespace rattleback {

/// The reactions that Lagrange's equations ask for, what they are multiples of, and the constraints differentiated: as many
/// equations as there are accelerations and multipliers.                                                  (A.1)–(A.3)
std::vector<Step> multiplier_steps(const System& system, const ConstraintRows& rows);

}  // namespace rattleback
