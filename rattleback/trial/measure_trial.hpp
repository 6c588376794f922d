#pragma once
/// Tries an invariant density: d/dt ln ρ + div Γ at random states, by differences of compiled code.

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/trial/random_state.hpp>

namespace rattleback {

/// The density of an answer to `invariant-measure`, on D in the speeds of the motion.
Finding try_density(const System& system, const Answer& answer, Random& random);

}  // namespace rattleback
