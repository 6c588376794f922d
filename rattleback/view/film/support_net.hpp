#pragma once
/// Surfaces that bodies touch, drawn as nets of thin lines.

#include <vector>

#include <rattleback/model/system/scene.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Lines u = const. and v = const. of the surface under a contact; a ball of a body is drawn whole. On a body they are one net that moves
/// with it: its points depend on parameters only. Nothing for planes, which the ground or their body
/// shows, and for implicit surfaces.
std::vector<Shape> support_net(const System& system, const Contact& contact);

}  // namespace rattleback
