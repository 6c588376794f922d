#pragma once
/// Does the bracket of the motion satisfy the Jacobi identity, on D* and after reduction?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Proved: the bracket (P.3) on D* is Poisson, which happens iff D is integrable [van der Schaft, Maschke 1994]. Reduced: the
/// Jacobiator on differentials that vanish along the orbits of the symmetry group, J(α, β, γ) with α(ξ) = … = 0; on a Lie
/// algebra that is all there is. Answer {holds, reduced_holds, rank, group}.
Answer jacobi_answer(const System& system);

}  // namespace rattleback
