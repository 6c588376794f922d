#pragma once
/// Hopf points: where a pair of eigenvalues of a steady motion crosses the imaginary axis, a family of periodic motions begins.

#include <vector>

#include <rattleback/study/periodic_branch.hpp>

namespace rattleback {

/// Starts of the periodic motions that are born at the Hopf points of branches of steady motions, with the period 2π/|Im λ|.
std::vector<OrbitStart> hopf_starts(const SteadyBranches& branches);

}  // namespace rattleback
