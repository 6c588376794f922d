#pragma once
/// Is a given density invariant under the motion? `prove --measure`.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// ρ dq dz is invariant: Γ[ρ] + ρ div Γ = 0 for the motion Γ on (q, z).                                     (M.7)
Answer measure_conjecture(const System& system, Expr rho);

}  // namespace rattleback
