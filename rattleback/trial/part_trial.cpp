#include <rattleback/trial/part_trial.hpp>

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/simulate/loops/overconstrained.hpp>
#include <rattleback/simulate/states/flow.hpp>
#include <rattleback/trial/model_lines.hpp>
#include <rattleback/trial/random_state.hpp>

namespace rattleback {
namespace {

/// f, g of "(f)*(g) = 0"; nothing where the left side is no product of brackets.
std::vector<std::string> bracketed_factors(const std::string& equation) {
  std::vector<std::string> factors;
  std::string factor;
  const std::size_t equals = equation.find('=');
  if (equals == std::string::npos || equation.find_first_not_of(" 0", equals + 1) != std::string::npos)
    return {};
  int open = 0;
  for (const char c : equation.substr(0, equals)) {
    if (c == '(') ++open;
    if (open == 0 && c != '*' && c != ' ') return {};
    if (open > 0) factor += c;
    if (c == ')' && --open == 0) {
      factors.push_back(factor);
      factor.clear();
    }
  }
  return open == 0 && factors.size() > 1 ? factors : std::vector<std::string>{};
}

bool is_about_all_points(const std::string& question) {
  constexpr std::array all{"regularity", "integrability", "energy", "invariant-measure", "jacobi"};
  return std::ranges::find(all, question) != all.end();
}

/// The answer on a part; nothing where the part has no states.
std::optional<Answer> answer_on(const std::string& part, const Question& question, double seconds) {
  try {
    const System system = read_model(part, "a part");
    Random random(1);
    if (!random_state(Flow(system), random)) return std::nullopt;
    return asked_on_set(question, system, seconds);
  } catch (const Error&) {  // no factor that binds a coordinate
    return std::nullopt;
  } catch (const Exhausted&) {
    Budget::check();
    return std::nullopt;
  }
}

}  // namespace

std::vector<std::string> models_of_parts(const std::string& text) {
  const Lines lines = lines_of(text);
  const auto [first, last] = section(lines, "constraints");
  for (std::size_t k = first; k < last; ++k) {
    const std::size_t open = lines[k].find('"'), close = lines[k].find('"', open + 1);
    if (!is_entry(lines[k]) || open == std::string::npos || close == std::string::npos) continue;
    const std::string equation = lines[k].substr(open + 1, close - open - 1);
    if (equation.find('\'') != std::string::npos) continue;  // about velocities
    std::vector<std::string> parts;
    for (const std::string& factor : bracketed_factors(equation)) {
      Lines part = lines;
      part[k] = fmt::format("{}\"{} = 0\"{}", lines[k].substr(0, open), factor, lines[k].substr(close + 1));
      parts.push_back(joined(part));
    }
    if (!parts.empty()) return parts;
  }
  return {};
}

Findings try_parts(const std::string& text, const Question& question, const Answer& answer, double seconds) {
  if (!answer.decided() || !is_about_all_points(question.name)) return {};
  Findings all;
  bool fails_somewhere = false, is_complete = true;
  for (const std::string& part : models_of_parts(text)) {
    const auto there = answer_on(part, question, seconds);
    if (!there) continue;
    fails_somewhere = fails_somewhere || there->outcome == Outcome::refuted;
    is_complete = is_complete && there->decided();
    const bool wrong = answer.outcome == Outcome::proved && there->outcome == Outcome::refuted;
    all.push_back({question.name, fmt::format("{} on N", rattleback::text(answer.outcome)),
                   "asked on one part of N", wrong ? Finding::Result::contradicted : Finding::Result::stands,
                   rattleback::text(there->outcome)});
  }
  if (!all.empty() && is_complete && answer.outcome == Outcome::refuted && !fails_somewhere)
    all.push_back({question.name, "refuted on N", "asked on every part of N", Finding::Result::contradicted,
                   "it holds on each of them"});
  return all;
}

}  // namespace rattleback
