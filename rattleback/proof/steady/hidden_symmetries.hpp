#pragma once
/// Symmetries that a search in the model's coordinates does not find: under them more motions may be steady.

#include <optional>
#include <string>

#include <rattleback/model/system.hpp>

namespace rattleback {

/// "Killing's equations leave room for 2 symmetries, of which 1 was found": motions may be steady under the other, as straight lines are in polar
/// coordinates. Nothing where all are found, or the bound (N.13) is not known, as with forces. Fields that exist on a cover of the circles only count
/// as found: they divide nothing.
std::optional<std::string> hidden_symmetries(const System& system);

}  // namespace rattleback
