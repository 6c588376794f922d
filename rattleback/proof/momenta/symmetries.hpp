#pragma once
/// Infinitesimal symmetries: under which vector fields are the Lagrangian, the forces and the constraints invariant?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Proved: there are infinitesimal symmetries within the ansatz (N.2). Refuted: there are none at all. Answer {group, dimension, generators}.
Answer symmetries_answer(const System& system);

}  // namespace rattleback
