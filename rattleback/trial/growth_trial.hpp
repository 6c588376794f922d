#pragma once
/// Tries a growth vector: the rank of the admissible fields and of their brackets at random configurations, by numbers.

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/trial/random_state.hpp>

namespace rattleback {

/// The first two entries of the growth vector of an answer to `integrability`.
Finding try_growth(const System& system, const Answer& answer, Random& random);

}  // namespace rattleback
