#pragma once
/// Checks certificates of integrability and growth vectors: ranks of Lie brackets of admissible fields, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// Fields W_k: the legs X_α of D, then brackets of legs with earlier ones. At a generic point those of length at most l span a space
/// of dimension r_l, by a minor, and not more, because
///     [X_α, W_j] = c_αj^k W_k,   the W_k no longer than the bracket,                                       (W.1)
/// unless r_l is the dimension of the space already. Constraints are holonomic iff r_1 = r_2. Functions F are integrals:
/// X_α[F] = 0, their differentials independent. At special configurations all brackets of length at most l are formed and their rank computed.
std::vector<CheckedStep> holonomic_steps(const ClaimedSystem& claim, const Data& certificate);
std::vector<CheckedStep> nonholonomic_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
