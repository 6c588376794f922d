#pragma once
/// The configuration space as a picture: its factors, and how far the admissible directions and their brackets reach.

#include <string>

#include <rattleback/model/checks/triage.hpp>

namespace rattleback {

/// An <svg> element: a glyph for every factor, and below a cell for every dimension, coloured by the step of the growth
/// vector that reaches it; dashed where no bracket does.
std::string space_drawing(const System& system, const Triage& found);

}  // namespace rattleback
