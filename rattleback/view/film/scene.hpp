#pragma once
/// The scene of a system: that of its model, or a default one from bodies, contacts and coordinates.

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The model's [scene], or what its bodies, contacts and coordinates suggest: the surfaces that touch, boxes with the
/// bodies' inertia, a marked body for a rotation, a particle or a body with a heading in the plane; at last a dial for every
/// angle and a bead for every line. Empty for a Lie algebra alone. Every shape has a colour, `ground` is decided.
Scene scene_of(const System& system);

}  // namespace rattleback
