#include <rattleback/view/plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/model/units.hpp>

namespace rattleback {
namespace {

// Distinguishable with every kind of colour vision [Okabe and Ito 2008].
constexpr std::array<Colour, 7> colours{{{0x00, 0x72, 0xb2},
                                         {0xd5, 0x5e, 0x00},
                                         {0x00, 0x9e, 0x73},
                                         {0xcc, 0x79, 0xa7},
                                         {0x56, 0xb4, 0xe9},
                                         {0xe6, 0x9f, 0x00},
                                         {0x00, 0x00, 0x00}}};
constexpr Colour pale{0xdd, 0xdd, 0xdd}, grey{0x55, 0x55, 0x55};
constexpr double width = 560, height = 340, left = 66, right = 16, top = 34, bottom = 46;

struct Range {
  double low = INFINITY, high = -INFINITY;
  void add(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  /// Room around the data, also around a constant.
  void widen(double part) {
    if (!(low <= high)) *this = {0, 1};
    const double size = high - low, least = 1e-9 * std::max({std::abs(low), std::abs(high), 1e-3});
    const double margin = size > least ? part * size : std::max(0.5 * std::abs(low), 0.5);
    low -= margin;
    high += margin;
  }
};

/// One panel with its upper left corner at (x0, y0).
class Drawing {
 public:
  Drawing(const Panel& panel, double x0, double y0) : panel_(panel), x0_(x0), y0_(y0) {
    for (const PlotCurve& curve : panel.curves) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        x_.add(curve.x[i]);
        if (shown(curve.y[i])) y_.add(ordinate(curve.y[i]));
      }
    }
    x_.widen(panel.equal_aspect ? 0.05 : 0);
    y_.widen(0.06);
    if (panel.equal_aspect) equalise();
  }

  void draw(Picture& picture) const {
    frame(picture);
    curves(picture);
    legend(picture);
  }

 private:
  bool shown(double y) const { return std::isfinite(y) && (!panel_.logarithmic || y > 0); }
  double ordinate(double y) const { return panel_.logarithmic ? std::log10(y) : y; }
  double px(double x) const {
    return x0_ + left + (x - x_.low) / (x_.high - x_.low) * (width - left - right);
  }
  double py(double y) const {
    return y0_ + height - bottom - (y - y_.low) / (y_.high - y_.low) * (height - top - bottom);
  }

  void equalise() {
    const double across = (x_.high - x_.low) / (width - left - right),
                 up = (y_.high - y_.low) / (height - top - bottom);
    Range& narrow = across > up ? y_ : x_;
    const double more = (std::max(across, up) / std::min(across, up) - 1) / 2 * (narrow.high - narrow.low);
    narrow.low -= more;
    narrow.high += more;
  }

  void frame(Picture& picture) const {
    const double low = y0_ + height - bottom, high = y0_ + top, west = x0_ + left, east = x0_ + width - right;
    for (const double t : ticks(x_.low, x_.high, 7)) {
      picture.stroke({{px(t), high}, {px(t), low}}, pale, 1);
      picture.words({px(t), low + 16}, fmt::format("{:g}", t), {Picture::Anchor::middle});
    }
    std::vector<double> rows = ticks(y_.low, y_.high, panel_.logarithmic ? 6 : 5);
    if (panel_.logarithmic) std::erase_if(rows, [](double t) { return t != std::round(t); });
    for (const double t : rows) {
      picture.stroke({{west, py(t)}, {east, py(t)}}, pale, 1);
      picture.words({west - 6, py(t) + 4}, fmt::format("{}{:g}", panel_.logarithmic ? "1e" : "", t),
                    {Picture::Anchor::end});
    }
    picture.stroke({{west, high}, {east, high}, {east, low}, {west, low}, {west, high}}, grey, 1);
    picture.words({west, high - 10}, panel_.title, {.bold = true});
    picture.words({(west + east) / 2, y0_ + height - 10}, panel_.x_label, {Picture::Anchor::middle});
    if (!panel_.y_label.empty())
      picture.words({x0_ + 14, (high + low) / 2}, panel_.y_label,
                    {.anchor = Picture::Anchor::middle, .upwards = true});
  }

  void curves(Picture& picture) const {
    for (std::size_t c = 0; c < panel_.curves.size(); ++c) {
      const PlotCurve& curve = panel_.curves[c];
      const Colour colour = colours[c % colours.size()];
      std::vector<Point> path;
      for (std::size_t i = 0; i <= curve.x.size(); ++i) {
        const bool gap = i == curve.x.size() || !shown(curve.y[i]);
        if (gap) {
          if (!curve.points) picture.stroke(std::move(path), colour, 1.5);
          path.clear();
          continue;
        }
        const Point p{px(curve.x[i]), py(ordinate(curve.y[i]))};
        if (curve.points) {
          picture.dot(p, 1.2, colour);
        } else {
          path.push_back(p);
        }
      }
    }
  }

  /// Names in the upper right, above the frame, so that no curve is covered.
  void legend(Picture& picture) const {
    if (panel_.curves.size() < 2 && panel_.curves.front().name.empty()) return;
    double x = x0_ + width - right;
    for (std::size_t c = panel_.curves.size(); c-- > 0;) {
      const std::string& name = panel_.curves[c].name;
      picture.words({x, y0_ + top - 10}, name,
                    {.anchor = Picture::Anchor::end, .colour = colours[c % colours.size()]});
      x -= 8.1 * static_cast<double>(name.size()) + 12;
    }
  }

  const Panel& panel_;
  double x0_, y0_;
  Range x_, y_;
};

PlotCurve curve_of(const Trajectory& run, std::size_t column) {
  PlotCurve curve{run.names[column], run.t, {}};
  for (const auto& row : run.rows) curve.y.push_back(row[column]);
  return curve;
}

/// Panels of at most five curves, so that their names fit above them.
void over_time(const Trajectory& run, const std::string& title, const std::vector<std::size_t>& columns,
               std::vector<Panel>& panels) {
  for (std::size_t first = 0; first < columns.size(); first += 5) {
    Panel panel{title, "t", "", {}};
    for (std::size_t k = first; k < std::min(first + 5, columns.size()); ++k)
      panel.curves.push_back(curve_of(run, columns[k]));
    panels.push_back(std::move(panel));
  }
}

/// The first two lengths of the space, if there are any: coordinates on lines.
std::vector<std::size_t> lengths(const Flow& flow) {
  std::vector<std::size_t> columns;
  std::size_t column = 0;
  for (const Factor& factor : flow.system().space.factors())
    for (const Piece& piece : factor.pieces)
      for (std::size_t k = 0; k < piece.functions.size(); ++k, ++column)
        if (piece.carrier == Carrier::real && columns.size() < 2) columns.push_back(column);
  return columns;
}

/// Points of a section: the first coordinate and the first speed that differ among them.
Panel section_panel(const Flow& flow, const Trajectory& run) {
  Panel panel{"section", "", "", {}};
  const std::size_t configuration = flow.equations().configuration.size();
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < run.states && shown.size() < 2; ++k) {
    if (shown.size() == 1 && k < configuration) continue;
    Range range;
    for (const auto& row : run.section_rows) range.add(row[k]);
    if (range.high - range.low > 1e-9 * (1 + std::abs(range.high))) shown.push_back(k);
  }
  if (shown.size() < 2) return panel;
  panel.x_label = run.names[shown[0]];
  panel.y_label = run.names[shown[1]];
  PlotCurve points{"", {}, {}, true};
  for (const auto& row : run.section_rows) {
    points.x.push_back(row[shown[0]]);
    points.y.push_back(row[shown[1]]);
  }
  panel.curves.push_back(std::move(points));
  return panel;
}

Panel drift_panel(const Trajectory& run) {
  Panel panel{"drift", "t", "|I(t) - I(0)|", {}, false, true};
  for (std::size_t k = 0; k < std::min<std::size_t>(run.kept, 4); ++k) {
    PlotCurve curve = curve_of(run, run.states + run.velocities + k);
    const double initial = curve.y.empty() ? 0 : curve.y.front();
    for (double& y : curve.y) y = std::abs(y - initial);
    if (curve.name.size() > 20) curve.name = curve.name.substr(0, 18) + "..";
    if (std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; }))
      panel.curves.push_back(std::move(curve));
  }
  return panel;
}

/// "x [m]" on axes and curves, where the model gives units.
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

}  // namespace

std::vector<double> ticks(double low, double high, int wanted) {
  const double raw = (high - low) / wanted, power = std::pow(10, std::floor(std::log10(raw))),
               part = raw / power;
  const double step = (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10) * power;
  std::vector<double> at;
  for (double k = std::ceil(low / step); k * step <= high + 1e-9 * step; ++k)
    at.push_back(k == 0 ? 0 : k * step);
  return at;
}

Picture drawn(const std::string& title, const std::vector<Panel>& panels) {
  const std::size_t columns = panels.size() > 1 ? 2 : 1, rows = (panels.size() + columns - 1) / columns;
  Picture picture(width * static_cast<double>(columns), height * static_cast<double>(rows) + 34);
  picture.words({left, 24}, title, {.size = 16});
  for (std::size_t k = 0; k < panels.size(); ++k)
    Drawing(panels[k], width * static_cast<double>(k % columns),
            34 + height * static_cast<double>(k / columns))
        .draw(picture);
  return picture;
}

std::string as_svg(const std::string& title, const std::vector<Panel>& panels) {
  return drawn(title, panels).svg();
}

std::vector<Panel> panels_of(const Flow& flow, const Trajectory& run) {
  std::vector<Panel> panels;
  const std::vector<std::size_t> plane = lengths(flow);
  if (plane.size() == 2) {
    PlotCurve path = curve_of(run, plane[0]);
    path = {"", path.y, curve_of(run, plane[1]).y};
    panels.push_back({"path", run.names[plane[0]], run.names[plane[1]], {path}, true});
  }
  const std::size_t configuration = flow.equations().configuration.size();
  std::vector<std::size_t> positions, speeds;
  for (std::size_t k = 0; k < run.states; ++k) (k < configuration ? positions : speeds).push_back(k);
  if (positions.size() <= 10) over_time(run, "configuration", positions, panels);
  over_time(run, "speeds", speeds, panels);
  if (speeds.size() >= 2) {
    PlotCurve portrait{"", curve_of(run, speeds[0]).y, curve_of(run, speeds[1]).y};
    panels.push_back({"phase portrait", run.names[speeds[0]], run.names[speeds[1]], {portrait}});
  } else if (speeds.size() == 1 && configuration == 1) {
    PlotCurve portrait{"", curve_of(run, 0).y, curve_of(run, speeds[0]).y};
    panels.push_back({"phase portrait", run.names[0], run.names[speeds[0]], {portrait}});
  }
  if (Panel section = section_panel(flow, run); !section.curves.empty()) panels.push_back(std::move(section));
  Panel drift = drift_panel(run);
  if (!drift.curves.empty()) panels.push_back(std::move(drift));
  return with_units(std::move(panels), flow.system());
}

}  // namespace rattleback
