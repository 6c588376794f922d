#include <rattleback/trial/description_trial.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/trial/linear_change.hpp>
#include <rattleback/trial/model_lines.hpp>

namespace rattleback {
namespace {

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
  const std::vector<std::string> q = coordinates_on_lines(lines);
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
  const std::vector<std::string> q = coordinates_on_lines(lines);
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

std::string sheared(const std::string& text) { return with_linear_change(text, {{{"1", "2"}, {"0", "1"}}}); }
std::string turned(const std::string& text) {
  return with_linear_change(text, {{{"3/5", "(-4/5)"}, {"4/5", "3/5"}}});
}

}  // namespace

const std::vector<Redescription>& redescriptions() {
  static const std::vector<Redescription> all{
      {"coordinates in reverse order", reversed_space},
      {"constraints multiplied by 1 + q^2", multiplied_constraints},
      {"a total derivative added to the Lagrangian", with_total_derivative},
      {"[velocities] left out", without_velocities},
      {"the first two coordinates sheared", sheared},
      {"the first two coordinates turned by (3, 4, 5)", turned},
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
      const Answer there = asked_on_set(question, read_model(other, "described anew"), seconds);
      found.result = are_opposite(answer.outcome, there.outcome) ? Finding::Result::contradicted
                                                                 : Finding::Result::stands;
      found.detail = rattleback::text(there.outcome);
    } catch (const Error& error) {
      found.detail = error.summary;
    } catch (const Exhausted& limit) {
      Budget::check();
      found.detail = limit.what();
    }
    all.push_back(found);
  }
  return all;
}

}  // namespace rattleback
