#pragma once
/// Phases and impacts of a run with flight, as a film shows them.

#include <rattleback/view/film/film.hpp>

namespace rattleback {

/// Adds the phases and the changes between them; nothing for a run without flight.
void add_phases(const Trajectory& run, Film& film);

/// One sentence for people: how many phases and impacts, and how much energy they cost. Empty without flight.
std::string flight_sentence(const Trajectory& run);

}  // namespace rattleback
