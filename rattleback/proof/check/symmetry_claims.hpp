#pragma once
/// Checks certificates of symmetries, and of how many there are at most, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// (N.3) for every field, ξ^C C = 0 and L_ξ Q = 0 at v = ψ(q, z); or one of these fails for one of them.
std::vector<CheckedStep> symmetry_steps(const ClaimedSystem& claim, const Data& certificate);
std::vector<CheckedStep> not_a_symmetry_steps(const ClaimedSystem& claim, const Data& certificate);

/// With L = ½ g(v, v) − V: V and the functions g⁻¹(df_j, df_k) named have n independent differentials, and a symmetry leaves all of
/// them alone (N.10). Or g is constant, symmetries are among the affine fields of (N.12), and what (N.3) makes of these at several
/// states has full rank.
std::vector<CheckedStep> no_symmetry_steps(const ClaimedSystem& claim, const Data& certificate);

}  // namespace rattleback
