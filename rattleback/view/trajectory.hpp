#pragma once
/// A motion for people and for other programs: a summary, CSV, JSON.

#include <string>
#include <vector>

#include <rattleback/simulate/trajectory.hpp>

namespace rattleback {

/// How a run was made: what a reader of its output needs to repeat it.
struct RunHead {
  std::string model, method;
  double rtol = 0, atol = 0;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::string> events;
  std::string
      search;  ///< seconds after which the search for integrals was given up; empty when it came to its end
};

/// The final state to 15 digits, what it cost, and the drift of everything that should be constant.
std::string as_text(const RunHead& head, const Trajectory& run);
/// Schema rattleback.simulate/1.
std::string as_json(const RunHead& head, const Trajectory& run);
/// Lines `# key: value`, a header, and one line per sample, each number to its last digit.
std::string as_csv(const RunHead& head, const Trajectory& run);

}  // namespace rattleback
