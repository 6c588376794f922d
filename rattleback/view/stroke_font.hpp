#pragma once
/// Letters as strokes, for pictures in pixels.

#include <string>
#include <vector>

#include <rattleback/view/picture.hpp>

namespace rattleback {

/// In units in which small letters are 4 high, y upwards from the base line. Accents are left out.
std::vector<std::vector<Point>> strokes_of(const std::string& text);
double stroke_width(const std::string& text);

}  // namespace rattleback
