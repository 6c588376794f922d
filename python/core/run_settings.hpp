#pragma once
/// What a run depends on besides the flow and its first state, and the result of a run as plain data.

#include <rattleback/simulate/runs/detailed_trajectory.hpp>

#include "bindings.hpp"

namespace rattleback::python {

/// text, terminal, direction.
using EventText = std::tuple<std::string, bool, int>;

/// What a run depends on besides the flow and its first state.
struct Settings {
  double until = 10;
  std::string method = "taylor";
  std::optional<double> rtol, atol;
  double step = 0;
  std::size_t samples = 0;
  std::vector<double> times;
  std::vector<EventText> events;
  std::optional<EventText> section;
  std::size_t points = 0;
  bool reactions = true, stop_at_lift_off = false;
  double search = -1;  ///< seconds for invariants; negative: what takes a fraction of a second; 0: none
};

/// The options of a run. Throws Error for events that cannot be read.
RunOptions options_of(const Flow& flow, const Settings& s);

/// Arrays, drift, events, phases and impacts.
py::dict run_as_python(const DetailedTrajectory& made, std::size_t dimension, bool timed_out);

}  // namespace rattleback::python
