#pragma once
/// Units of the columns of a run, for models that give units.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// "x" and "m", … by the names that a trajectory gives to its columns, time included; empty where the model gives no units.
std::vector<std::pair<std::string, std::string>> column_units(const Flow& flow, const RunOptions& options);

/// " m" for what stands behind a number; empty where no unit is known.
std::string unit_after(const std::vector<std::pair<std::string, std::string>>& units,
                       const std::string& name);

/// "x [m]", or the name alone.
std::string with_unit(const std::vector<std::pair<std::string, std::string>>& units, const std::string& name);

}  // namespace rattleback
