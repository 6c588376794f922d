#include <rattleback/trial/description_trial.hpp>

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/load.hpp>

namespace rattleback {
namespace {

using Lines = std::vector<std::string>;

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

/// The lines of a section without its heading: [first, last).
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

/// The coordinates of [space] on lines and circles, one a line.
std::vector<std::string> coordinates(const Lines& lines) {
  std::vector<std::string> names;
  const auto [first, last] = section(lines, "space");
  for (std::size_t k = first; k < last; ++k) {
    if (is_entry(lines[k]) && lines[k].find("\"R\"") != std::string::npos)
      names.push_back(lines[k].substr(0, lines[k].find(" = ")));
  }
  return names;
}

std::string reversed_space(const std::string& text) {
  Lines lines = lines_of(text);
  const auto [first, last] = section(lines, "space");
  std::vector<std::size_t> entries;
  for (std::size_t k = first; k < last; ++k) {
    if (is_entry(lines[k])) entries.push_back(k);
  }
  for (std::size_t i = 0; i < entries.size() / 2; ++i)
    std::swap(lines[entries[i]], lines[entries[entries.size() - 1 - i]]);
  return joined(lines);
}

/// name = "a = b" becomes name = "((a) - (b))*(1 + x^2) = 0".
std::string multiplied_constraints(const std::string& text) {
  Lines lines = lines_of(text);
  const std::vector<std::string> q = coordinates(lines);
  if (q.empty()) return text;
  const auto [first, last] = section(lines, "constraints");
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t open = lines[k].find('"'), close = lines[k].find('"', open + 1);
    if (!is_entry(lines[k]) || open == std::string::npos || close == std::string::npos) continue;
    const std::string equation = lines[k].substr(open + 1, close - open - 1);
    const std::size_t equals = equation.find('=');
    const std::string left = equation.substr(0, equals),
                      right = equals == std::string::npos ? "0" : equation.substr(equals + 1);
    lines[k] = fmt::format("{}\"(({}) - ({}))*(1 + {}^2) = 0\"{}", lines[k].substr(0, open), left, right,
                           q[0], lines[k].substr(close + 1));
  }
  return joined(lines);
}

std::string with_total_derivative(const std::string& text) {
  Lines lines = lines_of(text);
  const std::vector<std::string> q = coordinates(lines);
  if (q.size() < 2) return text;
  for (std::string& line : lines) {
    if (!line.starts_with("lagrangian = \"")) continue;
    const std::size_t close = line.find('"', 14);
    if (close != std::string::npos) line.insert(close, fmt::format(" + ddt({}^2*{})", q[0], q[1]));
  }
  return joined(lines);
}

std::string without_velocities(const std::string& text) {
  Lines lines = lines_of(text);
  const auto [first, last] = section(lines, "velocities");
  if (first == 0 || text.find("initial") != std::string::npos)
    return text;  // an initial state may be given in them
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first) - 1,
              lines.begin() + static_cast<std::ptrdiff_t>(last));
  return joined(lines);
}

}  // namespace

const std::vector<Redescription>& redescriptions() {
  static const std::vector<Redescription> all{
      {"coordinates in reverse order", reversed_space},
      {"constraints multiplied by 1 + q^2", multiplied_constraints},
      {"a total derivative added to the Lagrangian", with_total_derivative},
      {"[velocities] left out", without_velocities},
  };
  return all;
}

Findings try_descriptions(const std::string& text, const Question& question, const Answer& answer,
                          double seconds) {
  Findings all;
  if (!answer.decided()) return all;
  for (const Redescription& change : redescriptions()) {
    const std::string other = change.apply(text);
    if (other == text) continue;
    Finding found{question.name, fmt::format("{} in every description", rattleback::text(answer.outcome)),
                  change.name, Finding::Result::not_tried, ""};
    try {
      const Answer there = asked(question, read_model(other, "described anew"), seconds);
      found.result = are_opposite(answer.outcome, there.outcome) ? Finding::Result::contradicted
                                                                 : Finding::Result::stands;
      found.detail = rattleback::text(there.outcome);
    } catch (const Error& error) {
      found.detail = error.summary;
    }
    all.push_back(found);
  }
  return all;
}

}  // namespace rattleback
