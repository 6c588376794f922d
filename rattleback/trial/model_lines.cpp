#include <rattleback/trial/model_lines.hpp>

#include <algorithm>
#include <sstream>

namespace rattleback {

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::pair<std::size_t, std::size_t> section(const Lines& lines, const std::string& name) {
  const auto heading = std::find(lines.begin(), lines.end(), "[" + name + "]");
  if (heading == lines.end()) return {0, 0};
  const auto end =
      std::find_if(heading + 1, lines.end(), [](const std::string& l) { return l.starts_with("["); });
  return {static_cast<std::size_t>(heading - lines.begin()) + 1,
          static_cast<std::size_t>(end - lines.begin())};
}

bool is_entry(const std::string& line) {
  return !line.empty() && line[0] != '#' && line[0] != ' ' && line.find(" = ") != std::string::npos;
}

std::vector<std::string> coordinates_on_lines(const Lines& lines) {
  std::vector<std::string> names;
  const auto [first, last] = section(lines, "space");
  for (std::size_t k = first; k < last; ++k) {
    if (is_entry(lines[k]) && lines[k].find("\"R\"") != std::string::npos)
      names.push_back(lines[k].substr(0, lines[k].find(" = ")));
  }
  return names;
}

}  // namespace rattleback
