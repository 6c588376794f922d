#pragma once
/// Plots without a plotting program: curves and points in panels, with ticks at round numbers.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>
#include <rattleback/view/pictures/picture.hpp>

namespace rattleback {

struct PlotCurve {
  std::string name;
  std::vector<double> x, y;
  bool points = false;  ///< dots in place of a line
  bool smooth = false;  ///< samples of a smooth function at equal distances: drawn as one, without corners
  bool dashed = false;
  std::optional<std::size_t> colour =
      std::nullopt;  ///< number in the palette; otherwise by its place in the panel
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<PlotCurve> curves;
  bool equal_aspect = false;  ///< one unit is as long in both directions
  bool logarithmic = false;   ///< of y; values that are not positive are left out
  bool logarithmic_x = false;
  std::optional<std::pair<double, double>> x_range = std::nullopt,
                                           y_range = std::nullopt;  ///< otherwise all data
};

struct FigureStyle {
  double width_mm = 0, height_mm = 0;  ///< of the whole figure; 0: as large as a screen likes
  bool dark = false;
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `wanted` of them within [low, high].
std::vector<double> ticks(double low, double high, int wanted);
/// Of a logarithmic axis from 10^low to 10^high, as powers of ten; between them 2 and 5 times a power where there is room.
std::vector<double> logarithmic_ticks(double low, double high, int wanted);
/// A number beside a tick: −0.5, 3×10⁻⁷.
std::string tick_label(double value);

/// The panels below each other, two in a row; one below the other where the figure is narrow.
Picture drawn(const std::string& title, const std::vector<Panel>& panels, const FigureStyle& style = {});
std::string as_svg(const std::string& title, const std::vector<Panel>& panels);

/// Measures of a figure: how large it is, its letters, its colours.
struct FigureLayout {
  FigureLayout(std::size_t panels, const std::string& title, const FigureStyle& style,
               double panel_width = 560, double panel_height = 340);
  double font = 12, title_height = 34, panel_width, panel_height, line = 1.5;
  std::size_t columns = 1;
  Colour ink, grey, pale, paper;
  bool millimetres = false, dark = false;

  Picture empty(const std::string& title) const;
  Point corner(std::size_t panel) const;  ///< upper left
  /// Distinguishable with every kind of colour vision [Okabe and Ito 2008].
  Colour palette(std::size_t k) const;

 private:
  std::size_t rows_ = 1;
};

/// "x [m]" on axes and curves, where the model gives units.
std::vector<Panel> with_units(std::vector<Panel> panels, const System& system);

/// What is interesting in a run. Of a section: its points. Otherwise the path of the model's first trace at equal aspect, coordinates
/// and speeds over time, those of like size together, without wheels' angles and what rests; a phase portrait; the drift of what
/// should be constant on a logarithmic axis.
std::vector<Panel> panels_of(const Flow& flow, const Trajectory& run);
/// Names of the two columns in which the points of a section are drawn; fewer where they do not differ in two.
std::vector<std::string> section_axes(const Flow& flow, const Trajectory& run);

}  // namespace rattleback
