#pragma once
/// Outlines of letters (DejaVu Sans: Latin, Greek, subscripts, signs), for pictures that need no font where they are read.

#include <string>
#include <vector>

#include <rattleback/view/pictures/picture.hpp>

namespace rattleback {

namespace glyphs {
/// A character of Unicode, how far it advances, and where its contours begin and end in `numbers`: for each the count of points,
/// then start, control, end, control, end, … of its quadratic curves, in units of the font.
struct Letter {
  unsigned character;
  int advance, begin, end;
};
extern const int units, letter_count;
extern const Letter letters[];
extern const short numbers[];
}  // namespace glyphs

/// The characters of a text of UTF-8.
std::vector<unsigned> characters_of(const std::string& text);

/// A closed curve of quadratic pieces: start, control, end, control, end, ….
using Outline = std::vector<Point>;

/// The outlines of a text of UTF-8 in letters of size 1, y upwards from the base line. Characters without a glyph leave a gap.
std::vector<Outline> outlines_of(const std::string& text);
/// How far the text advances.
double width_of(const std::string& text);

/// Names of a model as they are printed on figures: theta -> θ, Omega3 -> Ω₃, theta' -> θ′.
std::string label_of(const std::string& name);

}  // namespace rattleback
