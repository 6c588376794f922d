#pragma once
/// Is the energy conserved, and for which parameters?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// dE/dt along the motion, as a function of the state.
Expr energy_rate(const System& system);

/// Proved: E = v^i ∂L/∂v^i − L is constant along every admissible motion. Answer {conserved, energy}.
Answer energy_answer(const System& system);

}  // namespace rattleback
