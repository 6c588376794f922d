// Declared in view/pictures/plot.hpp. Default panels of a run, where the user names none.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/view/film/phase_portrait.hpp>
#include <rattleback/view/film/scene.hpp>
#include <rattleback/view/pictures/plot.hpp>
#include <rattleback/view/pictures/run_columns.hpp>
#include <rattleback/view/pictures/values_along.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_curves = legible::curves_of_a_panel.count;

PlotCurve curve_of(const Trajectory& run, std::size_t column) {
  return {.name = run.names[column], .x = run.t, .y = run_column(run, column), .smooth = true};
}

void add_over_time(const Trajectory& run, const std::string& title, const std::vector<std::size_t>& columns,
                   std::vector<Panel>& panels) {
  for (const std::vector<std::size_t>& group : groups_of_like_size(run, columns, most_curves)) {
    Panel panel{title, "t", "", {}};
    for (const std::size_t c : group) panel.curves.push_back(curve_of(run, c));
    if (group.size() == 1) panel.y_label = run.names[group[0]];
    panels.push_back(std::move(panel));
  }
}

/// The first two lengths of the space, if there are two: coordinates on lines.
std::vector<std::size_t> lengths(const Flow& flow) {
  std::vector<std::size_t> columns;
  std::size_t column = 0;
  for (const Factor& factor : flow.system().space.factors())
    for (const Piece& piece : factor.pieces)
      for (std::size_t k = 0; k < piece.functions.size(); ++k, ++column)
        if (piece.carrier == Carrier::real && columns.size() < 2) columns.push_back(column);
  return columns;
}

/// The path of the point that the model's scene traces, when it stays near a plane z = constant.
std::optional<Panel> traced_path(const Flow& flow, const Trajectory& run) {
  for (const Shape& shape : scene_of(flow.system()).shapes) {
    if (shape.kind != Shape::Kind::trace || shape.points.empty()) continue;
    std::vector<Expr> place(shape.points[0].entries().begin(), shape.points[0].entries().end());
    if (place.size() != 3) continue;
    PlotCurve path{.smooth = true};
    double low = INFINITY, high = -INFINITY;
    for (const std::vector<double>& at : values_along(flow, run.t, run.rows, place)) {
      path.x.push_back(at[0]);
      path.y.push_back(at[1]);
      low = std::min(low, at[2]);
      high = std::max(high, at[2]);
    }
    const auto [west, east] = std::minmax_element(path.x.begin(), path.x.end());
    const auto [south, north] = std::minmax_element(path.y.begin(), path.y.end());
    if (path.x.empty() || !(high - low <= 0.5 * std::max(*east - *west, *north - *south)))
      return std::nullopt;
    const bool said =
        shape.name.find("path") != std::string::npos || shape.name.find("trace") != std::string::npos;
    const std::string unit = unit_of(flow.system(), place[0]), in = unit.empty() ? "" : " [" + unit + "]";
    return Panel{said ? shape.name : "path of " + shape.name, "x" + in, "y" + in, {path}, true};
  }
  return std::nullopt;
}

/// The path over two lengths.
std::optional<Panel> path_panel(const Flow& flow, const Trajectory& run) {
  if (std::optional<Panel> traced = traced_path(flow, run)) return traced;
  const std::vector<std::size_t> plane = lengths(flow);
  if (plane.size() < 2) return std::nullopt;
  PlotCurve path{.x = run_column(run, plane[0]), .y = run_column(run, plane[1]), .smooth = true};
  return Panel{"path", run.names[plane[0]], run.names[plane[1]], {path}, true};
}

std::optional<std::size_t> column_named(const Trajectory& run, const std::string& name) {
  const auto found = std::find(run.names.begin(), run.names.end(), name);
  if (found == run.names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - run.names.begin());
}

std::optional<Panel> portrait_panel(const Flow& flow, const Trajectory& run) {
  const auto axes = portrait_axes(flow);
  if (!axes) return std::nullopt;
  const auto x = column_named(run, axes->first), y = column_named(run, axes->second);
  if (!x || !y) return std::nullopt;
  PlotCurve portrait{.x = run_column(run, *x), .y = run_column(run, *y), .smooth = true};
  return Panel{"phase portrait", run.names[*x], run.names[*y], {portrait}};
}

/// Points of a section in the plane of the phase portrait, when both quantities differ among them; otherwise over the first
/// coordinate and the first speed that do, or the first two speeds. Angles are taken between −π and π.
Panel section_panel(const Flow& flow, const Trajectory& run) {
  const std::size_t configuration = flow.equations().configuration.size();
  const auto values = [&](std::size_t k) {
    const bool angle = k < configuration && is_angle(flow, flow.equations().configuration[k]);
    std::vector<double> v;
    for (const auto& row : run.section_rows) v.push_back(angle ? wrapped(row[k]) : row[k]);
    return v;
  };
  const auto differs = [&](std::size_t k) {
    const std::vector<double> v = values(k);
    const auto [low, high] = std::minmax_element(v.begin(), v.end());
    return *high - *low > 1e-7 * (1 + std::max(std::abs(*low), std::abs(*high)));
  };
  std::vector<std::size_t> shown;
  if (const auto axes = portrait_axes(flow)) {
    for (const std::string& name : {axes->first, axes->second})
      if (const auto k = column_named(run, name); k && *k < run.states && differs(*k)) shown.push_back(*k);
  }
  for (std::size_t k = 0; k < run.states && shown.size() < 2; ++k) {
    if (std::find(shown.begin(), shown.end(), k) != shown.end()) continue;
    if (!shown.empty() && k < configuration) continue;
    if (k < configuration && flow.equations().configuration[k].role() == Role::rotation) continue;
    if (differs(k)) shown.push_back(k);
  }
  // What is left: the vertical in body axes, which turns about it do not change, then any entry of a rotation, then any coordinate.
  const auto is_left = [&](std::size_t k, int pass) {
    const Symbol q = flow.equations().configuration[k];
    const bool rotation = q.role() == Role::rotation;
    if (pass > 0) return rotation == (pass == 1);
    const auto family = [&](std::size_t i) { return flow.equations().configuration[i].attributes().family; };
    return rotation && k >= 6 && family(k - 6) == q.attributes().family;  // its third row
  };
  for (int pass = 0; pass < 3; ++pass)
    for (std::size_t k = 0; k < configuration && shown.size() < 2; ++k)
      if (is_left(k, pass) && std::find(shown.begin(), shown.end(), k) == shown.end() && differs(k))
        shown.insert(shown.begin(), k);
  Panel panel{"section", "", "", {}};
  if (shown.size() < 2) return panel;
  panel.x_label = run.names[shown[0]];
  panel.y_label = run.names[shown[1]];
  panel.curves.push_back({.x = values(shown[0]), .y = values(shown[1]), .points = true});
  return panel;
}

/// Rounding errors jump: of each two hundredth of the time their largest is drawn.
PlotCurve largest_in_bins(const PlotCurve& curve) {
  const std::size_t width = std::max<std::size_t>(1, curve.y.size() / 200);
  PlotCurve bins{.name = curve.name};
  for (std::size_t first = 0; first < curve.y.size(); first += width) {
    const std::size_t last = std::min(first + width, curve.y.size());
    double most = 0;
    for (std::size_t i = first; i < last; ++i) most = std::max(most, curve.y[i]);
    bins.x.push_back(curve.x[(first + last) / 2 < curve.x.size() ? (first + last) / 2 : first]);
    bins.y.push_back(most);
  }
  return bins;
}

Panel drift_panel(const Trajectory& run) {
  Panel panel{"drift", "t", "|I(t) − I(0)|", {}, false, true};
  for (std::size_t k = 0; k < std::min<std::size_t>(run.kept, 4); ++k) {
    PlotCurve curve = curve_of(run, run.states + run.velocities + k);
    const double initial = curve.y.empty() ? 0 : curve.y.front();
    for (double& y : curve.y) y = std::abs(y - initial);
    if (std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; }))
      panel.curves.push_back(largest_in_bins(curve));
  }
  if (panel.curves.size() == 1) panel.title = "drift of " + panel.curves.front().name;
  return panel;
}

}  // namespace

std::vector<std::string> section_axes(const Flow& flow, const Trajectory& run) {
  const Panel panel = section_panel(flow, run);
  if (panel.curves.empty()) return {};
  return {panel.x_label, panel.y_label};
}

std::vector<Panel> with_units(std::vector<Panel> panels, const System& system) {
  const auto add = [&](std::string& name) {
    const std::string unit = unit_of(system, name);
    if (!unit.empty() && unit != "1") name += fmt::format(" [{}]", unit);
  };
  for (Panel& panel : panels) {
    add(panel.x_label);
    add(panel.y_label);
    for (PlotCurve& curve : panel.curves) add(curve.name);
  }
  return panels;
}

std::vector<Panel> panels_of(const Flow& flow, const Trajectory& run) {
  std::vector<Panel> panels;
  if (!run.section_rows.empty()) {
    if (Panel section = section_panel(flow, run); !section.curves.empty())
      return with_units({std::move(section)}, flow.system());
  }
  const std::optional<Panel> path = path_panel(flow, run);
  std::vector<std::size_t> positions = interesting_coordinates(flow, run);
  if (path) {
    panels.push_back(*path);
    const std::vector<std::size_t> seen = lengths(flow);
    std::vector<std::size_t> others;
    for (const std::size_t k : positions)
      if (seen.size() < 2 || std::find(seen.begin(), seen.end(), k) == seen.end()) others.push_back(k);
    positions = std::move(others);
  }
  add_over_time(run, "configuration", positions, panels);
  add_over_time(run, "speeds", interesting_speeds(flow, run), panels);
  if (std::optional<Panel> portrait = portrait_panel(flow, run)) panels.push_back(std::move(*portrait));
  Panel drift = drift_panel(run);
  if (!drift.curves.empty()) panels.push_back(std::move(drift));
  return with_units(std::move(panels), flow.system());
}

}  // namespace rattleback
