#pragma once
/// Is there a Lagrangian on all of Q whose motions on the constraint are the nonholonomic ones?

#include <rattleback/model/system.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// Proved: an associated second-order system has a regular Lagrangian. Refuted: each of them violates Helmholtz' algebraic
/// conditions. Answer {exists, types, lagrangian, hamiltonian, submanifold}, and
/// second_lagrangian, … of (C.31) where another coordinate moves uniformly.
Answer inverse_problem_answer(const System& system);

}  // namespace rattleback
