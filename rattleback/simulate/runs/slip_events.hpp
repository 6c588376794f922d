#pragma once
/// When the friction of a rolling contact is exhausted: |T| = μ N, for contacts with `friction`.

#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// μ² N² − T² of every contact that has a coefficient of friction; it becomes negative where the contact would slip. Throws Error[usage]
/// for a model without such contacts.
std::vector<Event> slip_events(const Flow& flow, bool stops);

}  // namespace rattleback
