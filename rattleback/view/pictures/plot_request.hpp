#pragma once
/// Panels as a user asks for them: `x:y`, `lean, steer`, with ranges and logarithmic axes.

#include <string>
#include <vector>

#include <rattleback/view/pictures/plot.hpp>

namespace rattleback {

struct PlotRequest {
  std::vector<std::string>
      panels;  ///< "lean, steer" over time; "x:y" or "x:y,z" over x; columns or expressions of the model
  std::vector<std::pair<std::string, std::pair<double, double>>> ranges;  ///< of what an axis shows
  std::vector<std::string> logarithmic;                                   ///< axes that show these
};

/// One panel for each; points of the section when there is one, samples of the motion otherwise.
/// Throws Error[usage] for names that are neither columns nor expressions, and for ranges that no axis shows.
std::vector<Panel> requested_panels(const Flow& flow, const Trajectory& run, const PlotRequest& request);

/// "theta=-1:1". Throws Error[usage].
std::pair<std::string, std::pair<double, double>> plot_range(const std::string& text);

/// Parts between commas that stand in no brackets, without blanks at their ends.
std::vector<std::string> split_outside_brackets(const std::string& text, char separator);

}  // namespace rattleback
