#include <rattleback/view/results/orbit_branches.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/view/results/bifurcation_curves.hpp>
#include <rattleback/view/results/branches.hpp>

namespace rattleback {
namespace {

std::string orbit_event(const Branch& branch, std::size_t k) {
  if (k == 0 || k + 1 >= branch.points.size()) return "";
  return orbit_description(branch.points[k - 1], branch.points[k], branch.points[k + 1]);
}

double period_of(const PeriodicBranches& found, const BranchPoint& p) {
  return p.u[static_cast<Eigen::Index>(found.states + found.fields.size())];
}

std::string multiplier_text(std::complex<double> z) {
  if (std::abs(z.imag()) < 1e-12) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g}{:+.6g}i", z.real(), z.imag());
}

/// The largest ones, of each pair of conjugates one.
std::string multipliers_text(const Eigen::VectorXcd& all) {
  std::vector<std::string> shown;
  for (const auto& z : all) {
    if (z.imag() < -1e-12) continue;
    if (shown.size() == 4) {
      shown.emplace_back("...");
      break;
    }
    shown.push_back(multiplier_text(z));
  }
  return fmt::format("{}", fmt::join(shown, ", "));
}

std::string branch_kind(const PeriodicBranches& found, std::size_t number) {
  return number > found.others.size() ? " of twice the period" : "";
}

}  // namespace

std::string as_text(const std::string& model, const std::string& vary, const PeriodicBranches& found) {
  std::string s = fmt::format("{}: periodic motions over {}\n", model, vary);
  if (!found.fields.empty()) s += fmt::format("  up to motions along {}\n", fmt::join(found.fields, ", "));
  if (!found.held.empty()) s += fmt::format("  held: {}\n", fmt::join(found.held, ", "));
  if (!found.trivial.empty())
    s += fmt::format("  multipliers that are 1 and not shown: {}\n", fmt::join(found.trivial, ", "));
  if (found.first.family > found.held.size() + 1)
    s += fmt::format("  free directions of the family besides: {}; --hold EXPR chooses among them\n",
                     found.first.family - found.held.size() - 1);
  std::size_t number = 0;
  for (const Branch* branch : found.all()) {
    s += fmt::format("branch {}{}: {} points; ends: {}{}\n", number + 1, branch_kind(found, number),
                     branch->points.size(), branch->ended_forward,
                     branch->ended_backward.empty() ? "" : ", " + branch->ended_backward);
    s += fmt::format("  {:>12} {:>12} {:>8}  multipliers\n", vary, "period", "");
    const std::size_t every = std::max<std::size_t>(1, branch->points.size() / 12);
    for (std::size_t k = 0; k < branch->points.size(); ++k) {
      const BranchPoint& p = branch->points[k];
      if (k % every != 0 && k + 1 != branch->points.size() && p.kind == BranchPoint::Kind::regular) continue;
      const std::string event = orbit_event(*branch, k);
      s += fmt::format("  {:>12.7g} {:>12.7g} {:>8}  {}{}\n", p.quantity, period_of(found, p),
                       p.growing == 0 ? "stable" : fmt::format("{} grow", p.growing),
                       multipliers_text(p.spectrum), event.empty() ? "" : "  <- " + event);
    }
    ++number;
  }
  return s + curves_text(vary, found.second, found.curves);
}

std::string as_json(const std::string& model, const std::string& vary, const PeriodicBranches& found) {
  nlohmann::ordered_json out{{"schema", "rattleback.orbits/1"},
                             {"model", model},
                             {"vary", vary},
                             {"names", found.names},
                             {"symmetries", found.fields},
                             {"held", found.held},
                             {"trivial_multipliers", found.trivial}};
  out["branches"] = nlohmann::ordered_json::array();
  std::size_t number = 0;
  for (const Branch* branch : found.all()) {
    nlohmann::ordered_json made{{"ended", {branch->ended_backward, branch->ended_forward}},
                                {"doubled", number > found.others.size()}};
    made["points"] = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < branch->points.size(); ++k) {
      const BranchPoint& p = branch->points[k];
      nlohmann::ordered_json point{
          {"at", p.quantity}, {"period", period_of(found, p)}, {"growing", p.growing}};
      if (const std::string event = orbit_event(*branch, k); !event.empty()) point["event"] = event;
      point["values"] = std::vector<double>(p.u.begin(), p.u.end());
      point["least"] = found.extents[number][k].least;
      point["largest"] = found.extents[number][k].largest;
      point["multipliers"] = nlohmann::ordered_json::array();
      for (const auto& z : p.spectrum) point["multipliers"].push_back({z.real(), z.imag()});
      made["points"].push_back(std::move(point));
    }
    out["branches"].push_back(std::move(made));
    ++number;
  }
  if (!found.second.empty()) {
    out["and"] = found.second;
    out["curves"] = curves_json(found.curves);
  }
  return out.dump(1) + "\n";
}

std::string as_csv(const std::string& model, const std::string& vary, const PeriodicBranches& found) {
  return branches_as_csv(model, vary, found.held, found.names, found.all(), orbit_event);
}

std::vector<Panel> panels_of(const std::string& vary, const PeriodicBranches& found) {
  std::vector<Panel> panels;
  if (auto plane = curves_panel(vary, found.second, found.curves)) return {std::move(*plane)};
  const auto add = [&](const std::string& label, const auto& value) {
    PlotCurve stable{.name = "stable", .colour = 0},
        unstable{.name = "unstable", .dashed = true, .colour = 1},
        marks{.name = "bifurcations", .points = true, .colour = 6};
    std::size_t number = 0;
    double low = INFINITY, high = -INFINITY;
    for (const Branch* branch : found.all()) {
      for (std::size_t k = 0; k < branch->points.size(); ++k) {
        const BranchPoint& p = branch->points[k];
        const double y = value(p, found.extents[number][k]);
        const bool both = p.kind != BranchPoint::Kind::regular;  // belongs to both parts, so that they meet
        low = std::min(low, y);
        high = std::max(high, y);
        stable.x.push_back(p.quantity);
        stable.y.push_back(p.growing == 0 || both ? y : NAN);
        unstable.x.push_back(p.quantity);
        unstable.y.push_back(p.growing != 0 || both ? y : NAN);
        if (!both) continue;
        marks.x.push_back(p.quantity);
        marks.y.push_back(y);
      }
      for (PlotCurve* curve : {&stable, &unstable}) {
        curve->x.push_back(branch->points.back().quantity);
        curve->y.push_back(NAN);
      }
      ++number;
    }
    if (!(high - low > 1e-9 * (1 + std::abs(high)))) return;
    Panel panel{"", vary, label, {stable, unstable}};
    if (!marks.x.empty()) panel.curves.push_back(marks);
    panels.push_back(std::move(panel));
  };
  if (vary != "period" && !found.forced)
    add("period", [&](const BranchPoint& p, const OrbitExtent&) { return period_of(found, p); });
  for (std::size_t i = 0; i < found.states && panels.size() < 4; ++i)
    add("max " + found.names[i],
        [&](const BranchPoint&, const OrbitExtent& e) { return i < e.largest.size() ? e.largest[i] : NAN; });
  return panels;
}

}  // namespace rattleback
