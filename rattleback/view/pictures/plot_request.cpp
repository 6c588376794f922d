#include <rattleback/view/pictures/plot_request.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/simulate/runs/event_equation.hpp>
#include <rattleback/view/pictures/run_columns.hpp>
#include <rattleback/view/pictures/values_along.hpp>

namespace rattleback {
namespace {

std::string trimmed(const std::string& s) {
  const std::size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t");
  return a == std::string::npos ? std::string() : s.substr(a, b - a + 1);
}

Error plot_error(const std::string& what, const std::string& why, const std::string& fix,
                 const std::string& option = "--plot") {
  Error e("usage", what, why, fix);
  Place place;
  place.file = "command line, " + option;
  e.at(place);
  return e;
}

/// Values of what panels name: the time, a column, or an expression.
class PlotSource {
 public:
  PlotSource(const Flow& flow, const Trajectory& run)
      : flow_(flow),
        run_(run),
        section_(!run.section_rows.empty()),
        times_(section_ ? run.section_t : run.t),
        rows_(section_ ? run.section_rows : run.rows) {}

  bool is_section() const { return section_; }

  std::vector<double> values(const std::string& name) const {
    if (name == "t" || name == flow_.system().time.name()) return times_;
    const auto found = std::find(run_.names.begin(), run_.names.end(), name);
    if (found == run_.names.end()) return expression(name);
    const auto column = static_cast<std::size_t>(found - run_.names.begin());
    const auto& q = flow_.equations().configuration;
    const bool angle = section_ && column < q.size() && is_angle(flow_, q[column]);
    std::vector<double> v;
    for (const auto& row : rows_) v.push_back(angle ? wrapped(row[column]) : row[column]);
    return v;
  }

 private:
  std::vector<double> expression(const std::string& text) const {
    if (text.find('=') != std::string::npos) throw unknown(text, "a plot shows quantities, not equations");
    Expr e;
    try {
      e = event_equation(flow_.system(), text, "command line, --plot");
    } catch (const Error& error) {
      throw unknown(text, error.summary);
    }
    std::vector<double> v;
    for (const auto& row : values_along(flow_, times_, rows_, {e})) v.push_back(row[0]);
    return v;
  }
  Error unknown(const std::string& text, const std::string& why) const {
    const auto close = nearest(text, run_.names);
    return plot_error(
        fmt::format("`{}` is neither a column of this run nor an expression of the model", text), why,
        close.empty() ? fmt::format("its columns are t, {}; figures end in .svg, .pdf or .png",
                                    fmt::join(run_.names, ", "))
                      : fmt::format("did you mean `{}`?", fmt::join(close, "`, `")));
  }

  const Flow& flow_;
  const Trajectory& run_;
  bool section_;
  const std::vector<double>& times_;
  const std::vector<std::vector<double>>& rows_;
};

Panel panel_of(const PlotSource& source, const std::string& text) {
  const std::vector<std::string> sides = split_outside_brackets(text, ':');
  if (sides.size() > 2 ||
      std::any_of(sides.begin(), sides.end(), [](const std::string& s) { return s.empty(); }))
    throw plot_error(fmt::format("`{}` does not say what to draw", text), "",
                     "write \"lean, steer\" for curves over time, or \"x:y\" for y over x");
  Panel panel;
  panel.x_label = sides.size() == 2 ? sides[0] : "t";
  const std::vector<double> x = source.values(panel.x_label);
  for (const std::string& name : split_outside_brackets(sides.back(), ',')) {
    if (name.empty()) continue;
    panel.curves.push_back({.name = name,
                            .x = x,
                            .y = source.values(name),
                            .points = source.is_section(),
                            .smooth = !source.is_section()});
  }
  if (panel.curves.size() == 1) {
    panel.y_label = panel.curves[0].name;
    panel.curves[0].name.clear();
  }
  return panel;
}

/// What the vertical axis shows.
std::vector<std::string> vertical_names(const Panel& panel) {
  std::vector<std::string> names;
  if (!panel.y_label.empty()) names.push_back(panel.y_label);
  for (const PlotCurve& c : panel.curves)
    if (!c.name.empty()) names.push_back(c.name);
  return names;
}

}  // namespace

std::vector<std::string> split_outside_brackets(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == separator && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

std::pair<std::string, std::pair<double, double>> plot_range(const std::string& text) {
  const std::size_t equals = text.rfind('='),
                    colon = text.find(':', equals == std::string::npos ? 0 : equals);
  const auto number = [](const std::string& part) { return typed_number(part).value_or(NAN); };
  if (equals != std::string::npos && colon != std::string::npos) {
    const double a = number(text.substr(equals + 1, colon - equals - 1)), b = number(text.substr(colon + 1));
    if (a < b) return {trimmed(text.substr(0, equals)), {a, b}};
  }
  throw plot_error(fmt::format("`{}` is no range", text), "", "write --range NAME=FROM:TO, from less to more",
                   "--range");
}

std::vector<Panel> requested_panels(const Flow& flow, const Trajectory& run, const PlotRequest& request) {
  const PlotSource source(flow, run);
  std::vector<Panel> panels;
  for (const std::string& text : request.panels) panels.push_back(panel_of(source, text));
  const auto apply = [&](const std::string& name, const std::string& option, const auto& to_x,
                         const auto& to_y) {
    bool used = false;
    for (Panel& panel : panels) {
      if (panel.x_label == name) to_x(panel), used = true;
      const std::vector<std::string> names = vertical_names(panel);
      if (std::find(names.begin(), names.end(), name) != names.end()) to_y(panel), used = true;
    }
    if (!used)
      throw plot_error(fmt::format("no axis shows `{}`", name), "", "name what --plot draws, or t", option);
  };
  for (const auto& [name, range] : request.ranges)
    apply(
        name, "--range", [&](Panel& p) { p.x_range = range; }, [&](Panel& p) { p.y_range = range; });
  for (const std::string& name : request.logarithmic)
    apply(
        name, "--log", [](Panel& p) { p.logarithmic_x = true; }, [](Panel& p) { p.logarithmic = true; });
  for (Panel& p : panels) {
    if ((p.logarithmic && p.y_range && p.y_range->first <= 0) ||
        (p.logarithmic_x && p.x_range && p.x_range->first <= 0))
      throw plot_error("a logarithmic axis begins above zero", "", "write a --range of positive numbers",
                       "--range");
    // Two lengths are drawn alike in both directions.
    const auto is_length = [&](const std::string& name) {
      for (const Symbol q : flow.equations().configuration)
        if (q.name() == name) return q.role() != Role::rotation && !is_angle(flow, q);
      return false;
    };
    p.equal_aspect = !p.logarithmic && !p.logarithmic_x && is_length(p.x_label) && is_length(p.y_label);
  }
  return with_units(std::move(panels), flow.system());
}

}  // namespace rattleback
