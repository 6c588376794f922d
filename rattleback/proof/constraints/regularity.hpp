#pragma once
/// Regularity: do the Lagrangian and the constraints determine the accelerations, and where does the rank of the constraints drop?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Proved: the bordered matrix of L_vv and ∂C/∂v has full rank at a generic state, so accelerations and reactions are
/// determined. Answer {rank, dof, regular, positive_definite, rank_drops}.
Answer regularity_answer(const System& system);

}  // namespace rattleback
