#pragma once
/// Plots without a plotting program: curves and points in panels, with ticks at round numbers.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/simulate/trajectory.hpp>
#include <rattleback/view/picture.hpp>

namespace rattleback {

struct PlotCurve {
  std::string name;
  std::vector<double> x, y;
  bool points = false;  ///< dots in place of a line
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<PlotCurve> curves;
  bool equal_aspect = false;  ///< one unit is as long in both directions
  bool logarithmic = false;   ///< of y; values that are not positive are left out
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them within [low, high].
std::vector<double> ticks(double low, double high, int wanted);

/// The panels below each other, two in a row.
Picture drawn(const std::string& title, const std::vector<Panel>& panels);
std::string as_svg(const std::string& title, const std::vector<Panel>& panels);

/// Coordinates and speeds over time, the path at equal aspect where two coordinates are lengths, a phase portrait, points
/// of a section, and the drift of what should be constant on a logarithmic axis.
std::vector<Panel> panels_of(const Flow& flow, const Trajectory& run);

}  // namespace rattleback
