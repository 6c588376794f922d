#pragma once
/// Is there a smooth measure that the motion preserves, and for which parameters?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Proved: a positive density of the configuration, or of the state (M.10), is invariant on D (on the reduced space, for a Lie algebra).
/// Refuted: (M.3) leaves a condition that fails and the energy is kinetic, which excludes every smooth density, since N(q, p) implies
/// N(q, 0) [Kozlov 1988; Fedorov, García-Naranjo, Marrero 2015]; or a compact steady motion has a divergence (M.13). Otherwise not
/// found. Answer {exists, density, variables, space, reduced}.
Answer invariant_measure_answer(const System& system);

}  // namespace rattleback
