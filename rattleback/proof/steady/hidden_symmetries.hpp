#pragma once
/// Symmetries that a search in the model's coordinates does not find: under them more motions may be steady.

#include <optional>
#include <string>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// "Killing's equations leave room for 2 symmetries, of which 1 was found": motions may be steady under the other, as straight lines are in polar
/// coordinates. Nothing where all are found, or the bound (N.13) is not known, as with forces. Fields that exist on a cover of the circles only count
/// as found: they divide nothing.
std::optional<std::string> hidden_symmetries(const System& system);

/// "R^2": the group that is divided out, where motions may be steady under more than it. Further symmetries were found that fix configurations, as
/// turns of the plane do beside its shifts; or forces and terms linear in the velocities may have symmetries that change the Lagrangian by a rate.
/// Nothing where the conjugates of the group are all there is.
std::optional<std::string> group_of_steady_motions(const System& system);

}  // namespace rattleback
