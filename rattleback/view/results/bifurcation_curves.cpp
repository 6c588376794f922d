#include <rattleback/view/results/bifurcation_curves.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback {
namespace {

std::string event_on_curve(const BranchPoint& p) {
  if (p.kind == BranchPoint::Kind::fold) return "turns back";
  return p.kind == BranchPoint::Kind::change ? "another one becomes critical" : "";
}

}  // namespace

std::string curves_text(const std::string& vary, const std::string& second,
                        const std::vector<BifurcationCurve>& curves) {
  std::string s;
  for (const BifurcationCurve& c : curves) {
    const auto& points = c.branch.points;
    s += fmt::format("curve of {}: {} points; ends: {}{}\n", c.kind, points.size(), c.branch.ended_forward,
                     c.branch.ended_backward.empty() ? "" : ", " + c.branch.ended_backward);
    const bool pair = std::any_of(c.critical.begin(), c.critical.end(), [](double w) { return w > 0; });
    s += fmt::format("  {:>12} {:>12}{}\n", vary, second, pair ? fmt::format(" {:>12}", "frequency") : "");
    const std::size_t every = std::max<std::size_t>(1, points.size() / 10);
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::string event = event_on_curve(points[k]);
      if (k % every != 0 && k + 1 != points.size() && event.empty()) continue;
      s += fmt::format("  {:>12.7g} {:>12.7g}{}{}\n", c.first[k], points[k].quantity,
                       pair ? fmt::format(" {:>12.7g}", c.critical[k]) : "",
                       event.empty() ? "" : "  <- " + event);
    }
  }
  return s;
}

nlohmann::ordered_json curves_json(const std::vector<BifurcationCurve>& curves) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BifurcationCurve& c : curves) {
    nlohmann::ordered_json made{{"kind", c.kind},
                                {"ended", {c.branch.ended_backward, c.branch.ended_forward}}};
    made["points"] = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < c.branch.points.size(); ++k) {
      const BranchPoint& p = c.branch.points[k];
      nlohmann::ordered_json point{{"at", {c.first[k], p.quantity}}, {"frequency", c.critical[k]}};
      if (const std::string event = event_on_curve(p); !event.empty()) point["event"] = event;
      point["values"] = std::vector<double>(p.u.begin(), p.u.end());
      made["points"].push_back(std::move(point));
    }
    all.push_back(std::move(made));
  }
  return all;
}

std::optional<Panel> curves_panel(const std::string& vary, const std::string& second,
                                  const std::vector<BifurcationCurve>& curves) {
  if (curves.empty()) return std::nullopt;
  Panel panel{"bifurcations", vary, second, {}};
  std::vector<std::string> kinds;
  for (const BifurcationCurve& c : curves) {
    auto at = std::find(kinds.begin(), kinds.end(), c.kind);
    const bool first = at == kinds.end();
    if (first) at = kinds.insert(kinds.end(), c.kind);
    PlotCurve curve{
        .name = first ? c.kind : "", .x = c.first, .colour = static_cast<std::size_t>(at - kinds.begin())};
    for (const BranchPoint& p : c.branch.points) curve.y.push_back(p.quantity);
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace rattleback
