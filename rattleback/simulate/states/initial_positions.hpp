#pragma once
/// Positions of an initial state: assembly of closed loops from guesses, projection, defaults (0, the unit matrix), and contacts that touch from above.

#include <rattleback/simulate/states/start_point.hpp>

namespace rattleback {

/// Completes the coordinates of the point. Those left out or guessed are found from the constraints on positions by Newton's method, what is
/// given exactly stays; with `project`, where all are given, they move to the nearest position. Throws Error[incomplete-initial-state],
/// [off-constraint], or the error of a contact that does not touch or is not convex there.
void find_positions(StartPoint& start);

}  // namespace rattleback
