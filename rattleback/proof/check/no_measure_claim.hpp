#pragma once
/// Checks certificates that no invariant measure exists, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// e^σ(q) dq dz is invariant iff dσ has the rates X_α[σ] = −∂(div Γ)/∂z^α and y[σ] = −div Γ at z = 0, div Γ being of degree one in z.
/// Fields W_k are these, legs along which σ stands still (M.5), and brackets with the rates of (M.3). The last of them is
///     W = c^k W_k, and its rate is not c^k times theirs;                                                   (W.2)
/// or they span everything, σ is stated, and is not periodic. Where the motion is homogeneous in the speeds this excludes every
/// smooth density [Kozlov 1988].
std::vector<CheckedStep> no_measure_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
