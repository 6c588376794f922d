#pragma once
/// All ways to a Hamiltonian at once: which apply to a system, which do not, and why.

#include <rattleback/model/system.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// Proved: one of the methods succeeds, under one of the groups that the model shows or that was found. Refuted: every method
/// applies, and every one fails. Undecided otherwise: a method that does not apply to the system as it is written says nothing.
/// Answer {exists, methods}: for each method its verdict and what it rests on.
Answer hamiltonization_answer(const System& system);

}  // namespace rattleback
