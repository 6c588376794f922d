#pragma once
/// Asks a question again with exact numbers for the parameters: off the printed locus and on it.

#include <rattleback/proof/questions/question.hpp>
#include <rattleback/trial/random_state.hpp>

namespace rattleback {

/// At random values the outcome must not be the opposite one, nor at small whole numbers outside of a complete locus; on each component of `unless` it must not be the same one.
Findings try_parameters(const System& system, const Question& question, const Answer& answer, double seconds,
                        Random& random);

}  // namespace rattleback
