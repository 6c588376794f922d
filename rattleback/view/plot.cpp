#include <rattleback/view/plot.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace rattleback {
namespace {

// Distinguishable with every kind of colour vision [Okabe and Ito 2008].
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};
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

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

/// One panel with its upper left corner at (x0, y0).
class Drawing {
 public:
  Drawing(const Panel& panel, double x0, double y0) : panel_(panel), x0_(x0), y0_(y0) {
    for (const Curve& curve : panel.curves) {
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        x_.add(curve.x[i]);
        if (shown(curve.y[i])) y_.add(ordinate(curve.y[i]));
      }
    }
    x_.widen(panel.equal_aspect ? 0.05 : 0);
    y_.widen(0.06);
    if (panel.equal_aspect) equalise();
  }

  std::string svg() const { return frame() + curves() + legend(); }

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

  std::string label(double x, double y, const char* anchor, const std::string& text,
                    const char* more = "") const {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                       escaped(text));
  }

  std::string frame() const {
    std::string s;
    for (const double t : ticks(x_.low, x_.high, 7)) {
      s += fmt::format("<path class=\"grid\" d=\"M{:.2f} {:.2f}V{:.2f}\"/>\n", px(t), y0_ + top,
                       y0_ + height - bottom);
      s += label(px(t), y0_ + height - bottom + 16, "middle", fmt::format("{:g}", t));
    }
    std::vector<double> rows = ticks(y_.low, y_.high, panel_.logarithmic ? 6 : 5);
    if (panel_.logarithmic) std::erase_if(rows, [](double t) { return t != std::round(t); });
    for (const double t : rows) {
      s += fmt::format("<path class=\"grid\" d=\"M{:.2f} {:.2f}H{:.2f}\"/>\n", x0_ + left, py(t),
                       x0_ + width - right);
      s += label(x0_ + left - 6, py(t) + 4, "end",
                 panel_.logarithmic ? fmt::format("1e{:g}", t) : fmt::format("{:g}", t));
    }
    s += fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                     x0_ + left, y0_ + top, width - left - right, height - top - bottom);
    s += label(x0_ + left, y0_ + top - 10, "start", panel_.title, " class=\"title\"");
    s += label(x0_ + (left + width - right) / 2, y0_ + height - 10, "middle", panel_.x_label);
    if (!panel_.y_label.empty()) {
      const double x = x0_ + 14, y = y0_ + (top + height - bottom) / 2;
      s += label(x, y, "middle", panel_.y_label,
                 fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y).c_str());
    }
    return s;
  }

  std::string curves() const {
    std::string s;
    for (std::size_t c = 0; c < panel_.curves.size(); ++c) {
      const Curve& curve = panel_.curves[c];
      std::string path;
      bool drawing = false;
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        if (!shown(curve.y[i])) {
          drawing = false;
          continue;
        }
        path += fmt::format("{}{:.2f} {:.2f}", drawing ? "L" : "M", px(curve.x[i]), py(ordinate(curve.y[i])));
        drawing = true;
      }
      if (!path.empty())
        s += fmt::format("<path class=\"curve\" stroke=\"{}\" d=\"{}\"/>\n", colours[c % colours.size()],
                         path);
    }
    return s;
  }

  /// Names in the upper right, above the frame, so that no curve is covered.
  std::string legend() const {
    if (panel_.curves.size() < 2 && panel_.curves.front().name.empty()) return "";
    std::string s;
    double x = x0_ + width - right;
    for (std::size_t c = panel_.curves.size(); c-- > 0;) {
      const std::string& name = panel_.curves[c].name;
      s += label(x, y0_ + top - 10, "end", name,
                 fmt::format(" fill=\"{}\"", colours[c % colours.size()]).c_str());
      x -= 7.2 * static_cast<double>(name.size()) + 12;
    }
    return s;
  }

  const Panel& panel_;
  double x0_, y0_;
  Range x_, y_;
};

Curve curve_of(const Trajectory& run, std::size_t column) {
  Curve curve{run.names[column], run.t, {}};
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

Panel drift_panel(const Trajectory& run) {
  Panel panel{"drift", "t", "|I(t) - I(0)|", {}, false, true};
  for (std::size_t k = 0; k < std::min<std::size_t>(run.kept, 4); ++k) {
    Curve curve = curve_of(run, run.states + run.velocities + k);
    const double initial = curve.y.empty() ? 0 : curve.y.front();
    for (double& y : curve.y) y = std::abs(y - initial);
    if (std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; }))
      panel.curves.push_back(std::move(curve));
  }
  return panel;
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

std::string as_svg(const std::string& title, const std::vector<Panel>& panels) {
  const std::size_t columns = panels.size() > 1 ? 2 : 1, rows = (panels.size() + columns - 1) / columns;
  const double w = width * static_cast<double>(columns), h = height * static_cast<double>(rows) + 34;
  std::string s = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"12\">\n<style>.grid{{stroke:#ddd;fill:none}}.frame{{stroke:#555;fill:none}}"
      ".curve{{fill:none;stroke-width:1.5;stroke-linejoin:round}}.title{{font-weight:bold}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{2:.0f}\" y=\"24\" "
      "font-size=\"16\">{3}</text>\n",
      w, h, left, escaped(title));
  for (std::size_t k = 0; k < panels.size(); ++k)
    s += Drawing(panels[k], width * static_cast<double>(k % columns),
                 34 + height * static_cast<double>(k / columns))
             .svg();
  return s + "</svg>\n";
}

std::vector<Panel> panels_of(const Flow& flow, const Trajectory& run) {
  std::vector<Panel> panels;
  const std::vector<std::size_t> plane = lengths(flow);
  if (plane.size() == 2) {
    Curve path = curve_of(run, plane[0]);
    path = {"", path.y, curve_of(run, plane[1]).y};
    panels.push_back({"path", run.names[plane[0]], run.names[plane[1]], {path}, true});
  }
  const std::size_t configuration = flow.equations().configuration.size();
  std::vector<std::size_t> positions, speeds;
  for (std::size_t k = 0; k < run.states; ++k) (k < configuration ? positions : speeds).push_back(k);
  if (positions.size() <= 10) over_time(run, "configuration", positions, panels);
  over_time(run, "speeds", speeds, panels);
  if (speeds.size() >= 2) {
    Curve portrait{"", curve_of(run, speeds[0]).y, curve_of(run, speeds[1]).y};
    panels.push_back({"phase portrait", run.names[speeds[0]], run.names[speeds[1]], {portrait}});
  } else if (speeds.size() == 1 && configuration == 1) {
    Curve portrait{"", curve_of(run, 0).y, curve_of(run, speeds[0]).y};
    panels.push_back({"phase portrait", run.names[0], run.names[speeds[0]], {portrait}});
  }
  Panel drift = drift_panel(run);
  if (!drift.curves.empty()) panels.push_back(std::move(drift));
  return panels;
}

}  // namespace rattleback
