#include <rattleback/trial/linear_change.hpp>

#include <algorithm>
#include <cctype>
#include <map>

#include <fmt/format.h>

#include <rattleback/trial/model_lines.hpp>

namespace rattleback {
namespace {

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Names replaced between quotation marks, velocities too: x' becomes (1*x' + 2*y').
std::string with_names_replaced(const std::string& line, const std::array<std::string, 2>& q,
                                const LinearChange& A) {
  std::string out;
  bool quoted = false;
  for (std::size_t k = 0; k < line.size();) {
    if (line[k] == '"') quoted = !quoted;
    if (!quoted || !is_letter(line[k])) {
      out += line[k++];
      continue;
    }
    const std::size_t begin = k;
    while (k < line.size() && is_letter(line[k])) ++k;
    const std::string word = line.substr(begin, k - begin);
    const auto which = std::find(q.begin(), q.end(), word);
    if (which == q.end()) {
      out += word;
      continue;
    }
    const auto row = static_cast<std::size_t>(which - q.begin());
    const char* prime = k < line.size() && line[k] == '\'' ? "'" : "";
    k += *prime != '\0' ? 1 : 0;
    out += fmt::format("({}*{}{} + {}*{}{})", A[row][0], q[0], prime, A[row][1], q[1], prime);
  }
  return out;
}

/// What stands between the first two quotation marks.
std::string quoted_part(const std::string& line) {
  const std::size_t open = line.find('"'), close = line.find('"', open + 1);
  return open == std::string::npos || close == std::string::npos ? ""
                                                                 : line.substr(open + 1, close - open - 1);
}

/// Q_new_j = Σ_i A_ij Q_i.
void change_forces(Lines& lines, const std::array<std::string, 2>& q, const LinearChange& A) {
  const auto [first, last] = section(lines, "forces");
  std::array<std::string, 2> force{"0", "0"};
  for (std::size_t k = last; k-- > first;) {
    for (std::size_t i = 0; i < 2; ++i) {
      if (!lines[k].starts_with(q[i] + " = ")) continue;
      force[i] = quoted_part(lines[k]);
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
  }
  if (force[0] == "0" && force[1] == "0") return;
  for (std::size_t j = 0; j < 2; ++j)
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(first),
                 fmt::format("{} = \"{}*({}) + {}*({})\"", q[j], A[0][j], force[0], A[1][j], force[1]));
}

}  // namespace

std::string with_linear_change(const std::string& text, const LinearChange& A) {
  for (const char* other : {"[symmetry]", "[simulation]", "[bodies", "[contacts", "[joints", "[wheels",
                            "[parametrization]", "[springs", "[inputs", "[algebra]", "group", "\"\"\""}) {
    if (text.find(other) != std::string::npos) return text;
  }
  Lines lines = lines_of(text);
  const std::vector<std::string> names = coordinates_on_lines(lines);
  if (names.size() < 2) return text;
  const std::array<std::string, 2> q{names[0], names[1]};
  std::string heading;
  for (std::string& line : lines) {
    if (line.starts_with("[")) heading = line;
    if (heading == "[space]" || heading == "[parameters]" || heading == "[functions]") continue;
    if (line.starts_with("title") || line.starts_with("description")) continue;
    line = with_names_replaced(line, q, A);
  }
  change_forces(lines, q, A);
  return joined(lines);
}

}  // namespace rattleback
