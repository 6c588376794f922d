#pragma once
/// Models that can be meant, but probably are not.

#include <vector>

#include <rattleback/model/triage.hpp>

namespace rattleback {

/// substituted-constraint, unused-parameter, negative-energy, off-constraint, trivial-constraint.
std::vector<Error> doubts(const System& system, const Triage& found);

}  // namespace rattleback
