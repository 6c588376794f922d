#pragma once
/// Warnings about models that are legal and probably not meant.

#include <vector>

#include <rattleback/model/checks/triage.hpp>

namespace rattleback {

/// substituted-constraint, unused-parameter, negative-energy, off-constraint, trivial-constraint.
std::vector<Error> doubts(const System& system, const Triage& found);

}  // namespace rattleback
