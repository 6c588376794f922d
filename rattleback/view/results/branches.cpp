#include <rattleback/view/results/branches.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/view/results/bifurcation_curves.hpp>

namespace rattleback {
namespace {

std::vector<const Branch*> all_branches(const SteadyBranches& found) {
  std::vector<const Branch*> all{&found.first};
  for (const Branch& other : found.others) all.push_back(&other);
  return all;
}

std::string event_at(const Branch& branch, std::size_t k) {
  if (k == 0 || k + 1 >= branch.points.size()) return "";
  return description(branch.points[k - 1], branch.points[k], branch.points[k + 1]);
}

/// Entries that differ along the branches: the others say nothing in a diagram.
std::vector<Eigen::Index> differing(const SteadyBranches& found) {
  std::vector<Eigen::Index> which;
  for (std::size_t i = 0; i < found.names.size(); ++i) {
    double low = INFINITY, high = -INFINITY;
    for (const Branch* branch : all_branches(found)) {
      for (const BranchPoint& p : branch->points) {
        low = std::min(low, p.u[static_cast<Eigen::Index>(i)]);
        high = std::max(high, p.u[static_cast<Eigen::Index>(i)]);
      }
    }
    if (high - low > 1e-7 * (1 + std::abs(high))) which.push_back(static_cast<Eigen::Index>(i));
  }
  return which;
}

std::string row(const SteadyBranches& found, const std::vector<Eigen::Index>& which, const Branch& branch,
                std::size_t k) {
  const BranchPoint& p = branch.points[k];
  std::string s = fmt::format("  {:>12.7g}  {:>8}", p.quantity,
                              p.growing == 0 ? "stable" : fmt::format("{} grow", p.growing));
  std::size_t shown = 0;
  for (const Eigen::Index i : which) {
    if (found.names[static_cast<std::size_t>(i)] != "" && shown++ < 6) s += fmt::format(" {:>12.6g}", p.u[i]);
  }
  const std::string event = event_at(branch, k);
  return s + (event.empty() ? "" : "  <- " + event) + "\n";
}

std::string branch_as_text(const SteadyBranches& found, const std::string& vary,
                           const std::vector<Eigen::Index>& which, const Branch& branch, std::size_t number) {
  std::string s =
      fmt::format("branch {}: {} points; ends: {}{}\n", number, branch.points.size(), branch.ended_forward,
                  branch.ended_backward.empty() ? "" : ", " + branch.ended_backward);
  s += fmt::format("  {:>12}  {:>8}", vary, "");
  for (std::size_t c = 0; c < std::min<std::size_t>(which.size(), 6); ++c)
    s += fmt::format(" {:>12}", found.names[static_cast<std::size_t>(which[c])].substr(0, 12));
  s += "\n";
  const std::size_t every = std::max<std::size_t>(1, branch.points.size() / 12);
  for (std::size_t k = 0; k < branch.points.size(); ++k)
    if (k % every == 0 || k + 1 == branch.points.size() ||
        branch.points[k].kind != BranchPoint::Kind::regular)
      s += row(found, which, branch, k);
  return s;
}

}  // namespace

std::string as_text(const std::string& model, const std::string& vary, const SteadyBranches& found) {
  std::string s = fmt::format("{}: steady motions over {}\n", model, vary);
  s += fmt::format("  along {}\n", found.fields.empty() ? "no symmetry: equilibria"
                                                        : fmt::format("{}", fmt::join(found.fields, ", ")));
  if (!found.held.empty()) s += fmt::format("  held: {}\n", fmt::join(found.held, ", "));
  if (found.first.family > found.held.size() + 1)
    s += fmt::format("  free directions of the family besides: {}; --hold EXPR chooses among them\n",
                     found.first.family - found.held.size() - 1);
  const std::vector<Eigen::Index> which = differing(found);
  std::size_t number = 1;
  for (const Branch* branch : all_branches(found)) s += branch_as_text(found, vary, which, *branch, number++);
  return s + curves_text(vary, found.second, found.curves);
}

std::string as_json(const std::string& model, const std::string& vary, const SteadyBranches& found) {
  nlohmann::ordered_json out{
      {"schema", "rattleback.continue/1"}, {"model", model},    {"vary", vary}, {"names", found.names},
      {"symmetries", found.fields},        {"held", found.held}};
  out["branches"] = nlohmann::ordered_json::array();
  for (const Branch* branch : all_branches(found)) {
    nlohmann::ordered_json made{{"ended", {branch->ended_backward, branch->ended_forward}}};
    made["points"] = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < branch->points.size(); ++k) {
      const BranchPoint& p = branch->points[k];
      nlohmann::ordered_json point{{"at", p.quantity}, {"growing", p.growing}};
      if (const std::string event = event_at(*branch, k); !event.empty()) point["event"] = event;
      point["values"] = std::vector<double>(p.u.begin(), p.u.end());
      for (const auto& z : p.spectrum) point["eigenvalues"].push_back({z.real(), z.imag()});
      made["points"].push_back(std::move(point));
    }
    out["branches"].push_back(std::move(made));
  }
  if (!found.second.empty()) {
    out["and"] = found.second;
    out["curves"] = curves_json(found.curves);
  }
  return out.dump(1) + "\n";
}

std::string branches_as_csv(const std::string& model, const std::string& vary,
                            const std::vector<std::string>& held, const std::vector<std::string>& names,
                            const std::vector<const Branch*>& branches,
                            const std::function<std::string(const Branch&, std::size_t)>& event) {
  std::string s = fmt::format("# model: {}\n# held: {}\nbranch,{},growing,event,{}", model,
                              fmt::join(held, "; "), vary, fmt::join(names, ","));
  const Eigen::Index count = branches.front()->points.front().spectrum.size();
  for (Eigen::Index k = 1; k <= count; ++k) s += fmt::format(",re{},im{}", k, k);
  s += "\n";
  std::size_t number = 0;
  for (const Branch* branch : branches) {
    ++number;
    for (std::size_t k = 0; k < branch->points.size(); ++k) {
      const BranchPoint& p = branch->points[k];
      s += fmt::format("{},{:.17g},{},\"{}\"", number, p.quantity, p.growing, event(*branch, k));
      for (const double x : p.u) s += fmt::format(",{:.17g}", x);
      for (const auto& z : p.spectrum) s += fmt::format(",{:.10g},{:.10g}", z.real(), z.imag());
      s += "\n";
    }
  }
  return s;
}

std::string as_csv(const std::string& model, const std::string& vary, const SteadyBranches& found) {
  return branches_as_csv(model, vary, found.held, found.names, all_branches(found), event_at);
}

std::vector<Panel> panels_of(const std::string& vary, const SteadyBranches& found) {
  std::vector<Panel> panels;
  if (auto plane = curves_panel(vary, found.second, found.curves)) return {std::move(*plane)};
  for (const Eigen::Index i : differing(found)) {
    const std::string& name = found.names[static_cast<std::size_t>(i)];
    if (name == vary || panels.size() == 6) continue;
    PlotCurve stable{"stable", {}, {}}, unstable{"unstable", {}, {}}, folds{"folds", {}, {}, true},
        changes{"bifurcations", {}, {}, true};
    for (const Branch* branch : all_branches(found)) {
      for (std::size_t k = 0; k < branch->points.size(); ++k) {
        const BranchPoint& p = branch->points[k];
        const bool is_stable = p.growing == 0;
        // A change of stability belongs to both parts, so that they meet.
        const bool both = p.kind != BranchPoint::Kind::regular;
        stable.x.push_back(p.quantity);
        stable.y.push_back(is_stable || both ? p.u[i] : NAN);
        unstable.x.push_back(p.quantity);
        unstable.y.push_back(!is_stable || both ? p.u[i] : NAN);
        if (p.kind == BranchPoint::Kind::regular) continue;
        PlotCurve& marks = p.kind == BranchPoint::Kind::fold ? folds : changes;
        {
          marks.x.push_back(p.quantity);
          marks.y.push_back(p.u[i]);
        }
      }
      for (PlotCurve* curve : {&stable, &unstable}) {
        curve->x.push_back(branch->points.back().quantity);
        curve->y.push_back(NAN);
      }
    }
    Panel panel{name, vary, "", {stable, unstable}};
    if (!folds.x.empty()) panel.curves.push_back(folds);
    if (!changes.x.empty()) panel.curves.push_back(changes);
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace rattleback
