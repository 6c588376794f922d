#pragma once
/// A TrueType font with the letters of a text only, to be embedded in figures.

#include <string>
#include <vector>

namespace rattleback {

struct FontFile {
  std::string data;                  ///< a TrueType file [ISO 14496-22]; its units are those of glyphs::units
  std::vector<unsigned> characters;  ///< glyph k + 1 is this character; glyph 0 is an empty box
  std::vector<int> advances;
  /// The number of a character's glyph; 0 when the font has none.
  unsigned glyph_of(unsigned character) const;
};

/// The font of all characters of a text of UTF-8, from the outlines of DejaVu Sans.
FontFile font_file(const std::string& text);

}  // namespace rattleback
