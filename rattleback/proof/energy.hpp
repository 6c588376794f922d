#pragma once
/// Is the energy conserved, and for which parameters?

#include <rattleback/model/system.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// Proved: E = v^i ∂L/∂v^i − L is constant along every admissible motion. Answer {conserved, energy}.
Answer energy_answer(const System& system);

}  // namespace rattleback
