#pragma once
/// Overconstrained linkages: position constraints that follow from the others only where all of them hold, as in Bricard's mechanism.

#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

struct RedundantConstraints {
  std::vector<int> which;  ///< constraints that may be left out
  int rank = 0;            ///< of the position constraints on their set
  int tried = 0;           ///< assembled positions at which that was found
};

/// By ranks at assembled positions, in doubles: where the rank on the set is less than the generic one, constraints are left out
/// that do not raise it, and that still hold at positions nearby which satisfy the rest. Evidence, not proof: a run without
/// them still prints their drift. Empty where nothing is redundant, or where there are rotation matrices, time or parameters
/// without a value.
RedundantConstraints redundant_constraints(const System& system);

System without_constraints(System system, const std::vector<int>& which);

}  // namespace rattleback
