#pragma once
/// Output of a trajectory: text summary, CSV, JSON, HDF5.

#include <string>
#include <vector>

#include <rattleback/simulate/runs/lyapunov.hpp>
#include <rattleback/simulate/runs/precise_motion.hpp>

namespace rattleback {

/// How a run was made: what a reader of its output needs to repeat it.
struct RunHead {
  std::string model, method;
  double rtol = 0, atol = 0;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::pair<std::string, std::string>>
      formulas;  ///< taken for functions of which nothing is known
  std::vector<std::string> events;
  bool stops_at_lift_off = false, stops_at_slip = false;
  std::string section;    ///< "theta = 0 upwards"; empty when there is none
  std::string precision;  ///< of a run in more digits
  std::vector<std::pair<std::string, std::string>>
      units;              ///< of columns by name; empty where the model has none
  bool all_found = true;  ///< false: a longer search might find more that is constant
};

/// Events and ends that were asked for and did not come, as a reader wrote them: "theta = 0", "lift-off".
std::vector<std::string> unmet_events(const RunHead& head, const Trajectory& run);

/// The final state to 15 digits, what it cost, and the drift of everything that should be constant.
std::string as_text(const RunHead& head, const Trajectory& run);
/// Schema rattleback.simulate/1.
std::string as_json(const RunHead& head, const Trajectory& run);
/// Lines `# key: value`, a header, and one line per sample, each number to its last digit; with a section, one line for each
/// of its points instead.
std::string as_csv(const RunHead& head, const Trajectory& run);
/// The same rows as HDF5, a dataset for each column: t, state/…, velocities/…, invariants/…, reactions/….
/// Throws Error[unwritable-output], [missing-extension].
void write_hdf5(const std::string& path, const RunHead& head, const Trajectory& run);

/// Motions in more digits: numbers are texts with all of them.
std::string as_text(const RunHead& head, const PreciseMotion& run);
std::string as_json(const RunHead& head, const PreciseMotion& run);
std::string as_csv(const RunHead& head, const PreciseMotion& run);

std::string as_text(const RunHead& head, const LyapunovExponents& found);
std::string as_json(const RunHead& head, const LyapunovExponents& found);

}  // namespace rattleback
