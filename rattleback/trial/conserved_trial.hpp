#pragma once
/// Watches functions that are claimed to be constant, or claimed not to be, along motions in 32 digits.

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/trial/random_state.hpp>

namespace rattleback {

/// f should be constant: at random parameter values, motions from random states by Taylor series in 106 bits.
Finding try_constant(const System& system, const std::string& question, const std::string& name, Expr f,
                     Random& random);

/// The energy is said not to be conserved: some motion must show it, unless the answer lists exceptions.
Finding try_not_constant(const System& system, const std::string& question, const std::string& name, Expr f,
                         Random& random);

/// The energy that an answer speaks of: potentials of forces are part of it.
Expr energy_of_answer(const System& system, const Answer& answer);

/// Every function that the answers to `energy`, `momenta` and `integrals` call conserved.
std::vector<std::pair<std::string, Expr>> functions_claimed(const System& system, const std::string& question,
                                                            const Answer& answer);

}  // namespace rattleback
