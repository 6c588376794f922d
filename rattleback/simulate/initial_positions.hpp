#pragma once
/// Positions of an initial state: assembly of closed loops from guesses, projection, defaults, and contacts that touch as they may.

#include <rattleback/simulate/start_point.hpp>

namespace rattleback {

/// Completes the coordinates of the point. Those left out or guessed are found from the constraints on positions by Newton's method, what is
/// given exactly stays; with `project`, where all are given, they move to the nearest position. Throws Error[incomplete-initial-state],
/// [off-constraint], or where a contact is no contact.
void find_positions(StartPoint& start);

}  // namespace rattleback
