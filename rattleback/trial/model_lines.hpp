#pragma once
/// The text of a model by lines and sections, for changes of its description.

#include <string>
#include <utility>
#include <vector>

namespace rattleback {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text);
std::string joined(const Lines& lines);

/// The lines of a section without its heading: [first, last); both 0 where there is none.
std::pair<std::size_t, std::size_t> section(const Lines& lines, const std::string& name);

/// `name = value` on a line of its own.
bool is_entry(const std::string& line);

/// The coordinates of [space] on lines.
std::vector<std::string> coordinates_on_lines(const Lines& lines);

}  // namespace rattleback
