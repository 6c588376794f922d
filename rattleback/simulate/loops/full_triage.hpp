#pragma once
/// The whole of `rattleback check`: triage, constraints that are redundant where all hold, symmetries that are none.

#include <rattleback/model/checks/triage.hpp>

namespace rattleback {

/// Every part has the time that the limits give it; what takes longer is listed in `open`.
Triage full_triage(const System& system, const TriageLimits& limits = {});

}  // namespace rattleback
