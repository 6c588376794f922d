#pragma once
/// Looks for equilibria by Newton's method from random states, where an answer says that there are none.

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/trial/random_state.hpp>

namespace rattleback {

/// A refuted `equilibria`: no state at rest may have vanishing accelerations.
Finding try_no_equilibrium(const System& system, const Answer& answer, Random& random);

}  // namespace rattleback
