#pragma once
/// Position constraints of a certificate: all that it claims is claimed on N = {φ = 0}.

#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// The field `positions`, functions of configuration, parameters and time; none when there is no such field. Throws
/// Error[bad-certificate].
std::vector<Expr> claimed_positions(const ClaimedSystem& claim, const Data& certificate);

/// The relations of the variety that the check runs on.
std::span<const Expr> positions_of_check();

/// Where dφ/dt = 0 is demanded. Functions that are constant, ranks and brackets are about points of N alone; divergences on N
/// rely on neighbours, too.
enum class Positions { on_n, near_n };
/// dφ/dt = 0 along the admissible velocities, ∂φ/∂t included, for φ whose differentials are independent on N. At points of N alone
/// if all φ are constant wherever these hold: then a motion that starts on N stays there.
Verdict keeps_positions(const ClaimedSystem& claim, const std::vector<Expr>& positions, Positions where);

/// X_i(dφ/dt) for φ whose differentials are independent on N, to first order in the distance from N. Where they vanish, small motions
/// beside N keep φ, too: the linearised motion has the eigenvalues of N, and a 0 for each φ.
std::vector<Expr> spreading_of_positions(const ClaimedSystem& claim);

}  // namespace rattleback
