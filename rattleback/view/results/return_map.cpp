#include <rattleback/view/results/return_map.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

/// Points as a run with a section, which is what panels are made of.
Trajectory section_run(const Flow& flow, const std::vector<std::vector<double>>& states,
                       const std::vector<double>& times) {
  Observer observer = state_observer(flow);
  Trajectory run;
  run.names = observer.names();
  run.states = run.names.size();
  for (std::size_t k = 0; k < states.size(); ++k) {
    run.section_t.push_back(times[k]);
    run.section_rows.push_back(observer(times[k], states[k]));
  }
  return run;
}
Trajectory section_run(const ReturnMap& map, const std::vector<ReturnMap::Return>& orbit) {
  std::vector<std::vector<double>> states;
  std::vector<double> times;
  for (const ReturnMap::Return& r : orbit) {
    states.push_back(r.full);
    times.push_back(map.start_time() + r.time);
  }
  return section_run(map.motion().flow(), states, times);
}

std::string multiplier_words(std::complex<double> z) {
  if (std::abs(z.imag()) < 1e-12) return fmt::format("{:.8g}", z.real());
  return fmt::format("{:.8g}{:+.8g}i", z.real(), z.imag());
}

std::string cycle_text(const ReturnMap& map, const Cycle& cycle) {
  std::string s =
      fmt::format("  period {}, {}, closes after t = {:.10g}\n", cycle.period, cycle_kind(cycle), cycle.time);
  if (cycle.multipliers.size() > 0) {
    std::vector<std::string> all;
    for (const auto& z : cycle.multipliers) all.push_back(multiplier_words(z));
    s += fmt::format("    multipliers {}\n", fmt::join(all, ", "));
  }
  if (const auto rotation = rotation_of(cycle)) s += fmt::format("    rotation number {:.9f}\n", *rotation);
  const std::vector<std::string> names = map.motion().names();
  for (const Eigen::VectorXd& y : cycle.points) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < names.size(); ++i)
      values.push_back(fmt::format("{} = {:.10g}", names[i], y[static_cast<Eigen::Index>(i)] + 0.0));
    s += fmt::format("    at {}\n", fmt::join(values, ", "));
  }
  return s;
}

std::string rotation_text(const RotationProfile& profile) {
  std::string s =
      fmt::format("    rotation numbers around it; at the centre {:.8f}, twist d(rho)/d(r^2) = {:.6g}\n",
                  profile.at_centre, profile.twist);
  s += fmt::format("    {:>12} {:>14} {:>10}\n", "distance", "rotation", "change");
  for (const RotationNumber& r : profile.orbits)
    s += fmt::format("    {:>12.6g} {:>14.10f} {:>10.1e}{}\n", r.distance, r.rotation, r.change,
                     r.change > 1e-4 ? "  not on a curve" : "");
  return s;
}

}  // namespace

std::string as_text(const ReturnMap& map, const MapPortrait& portrait) {
  std::string s = fmt::format("{}: return map of {}\n", portrait.model, portrait.section);
  s += fmt::format("  of {}\n", fmt::join(map.motion().names(), ", "));
  if (!map.motion().field_names().empty())
    s += fmt::format("  up to motions along {}\n", fmt::join(map.motion().field_names(), ", "));
  if (!portrait.levels.empty()) s += fmt::format("  on the level {}\n", fmt::join(portrait.levels, ", "));
  std::size_t points = 0, complete = 0, longest = 0;
  for (const auto& orbit : portrait.orbits) longest = std::max(longest, orbit.size());
  for (const auto& orbit : portrait.orbits) {
    points += orbit.size();
    if (orbit.size() == longest) ++complete;
  }
  s += fmt::format("  {} starts, {} points", portrait.orbits.size(), points);
  if (complete < portrait.orbits.size())
    s += fmt::format("; {} motions do not come back that often", portrait.orbits.size() - complete);
  s += "\n";
  if (portrait.sought > 0)
    s += portrait.cycles.empty()
             ? fmt::format("no cycle of period {} was found from these starts\n", portrait.sought)
             : fmt::format("cycles whose period divides {}, found from these starts:\n", portrait.sought);
  for (std::size_t k = 0; k < portrait.cycles.size(); ++k) {
    s += cycle_text(map, portrait.cycles[k]);
    if (k < portrait.rotations.size() && portrait.rotations[k]) s += rotation_text(*portrait.rotations[k]);
  }
  if (!portrait.curves.empty()) {
    std::size_t all = 0;
    for (const InvariantCurve& c : portrait.curves) all += c.states.size();
    s += fmt::format("  invariant curves of saddles: {} pieces, {} points\n", portrait.curves.size(), all);
  }
  return s;
}

std::string as_json(const ReturnMap& map, const MapPortrait& portrait) {
  nlohmann::ordered_json out{{"schema", "rattleback.map/1"},    {"model", portrait.model},
                             {"section", portrait.section},     {"levels", portrait.levels},
                             {"names", map.motion().names()},   {"symmetries", map.motion().field_names()},
                             {"starts", portrait.orbits.size()}};
  out["orbits"] = nlohmann::ordered_json::array();
  for (const auto& orbit : portrait.orbits) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const ReturnMap::Return& r : orbit)
      points.push_back(std::vector<double>(r.state.begin(), r.state.end()));
    out["orbits"].push_back(std::move(points));
  }
  out["cycles"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < portrait.cycles.size(); ++k) {
    const Cycle& c = portrait.cycles[k];
    nlohmann::ordered_json made{
        {"period", c.period}, {"kind", cycle_kind(c)}, {"time", c.time}, {"residual", c.residual}};
    for (const auto& z : c.multipliers) made["multipliers"].push_back({z.real(), z.imag()});
    for (const Eigen::VectorXd& y : c.points)
      made["points"].push_back(std::vector<double>(y.begin(), y.end()));
    if (const auto rotation = rotation_of(c)) made["rotation"] = *rotation;
    if (k < portrait.rotations.size() && portrait.rotations[k]) {
      made["twist"] = portrait.rotations[k]->twist;
      for (const RotationNumber& r : portrait.rotations[k]->orbits)
        made["rotations"].push_back({r.distance, r.rotation, r.change});
    }
    out["cycles"].push_back(std::move(made));
  }
  out["curves"] = nlohmann::ordered_json::array();
  for (const InvariantCurve& c : portrait.curves)
    out["curves"].push_back({{"stable", c.stable}, {"length", c.length}, {"states", c.states}});
  return out.dump(1) + "\n";
}

std::string as_csv(const ReturnMap& map, const MapPortrait& portrait) {
  std::string s = fmt::format("# model: {}\n# section: {}\n# level: {}\n", portrait.model, portrait.section,
                              fmt::join(portrait.levels, "; "));
  bool headed = false;
  for (std::size_t k = 0; k < portrait.orbits.size(); ++k) {
    const Trajectory run = section_run(map, portrait.orbits[k]);
    if (!headed) s += fmt::format("start,number,t,{}\n", fmt::join(run.names, ","));
    headed = true;
    for (std::size_t j = 0; j < run.section_rows.size(); ++j) {
      s += fmt::format("{},{},{:.17g}", k + 1, j + 1, run.section_t[j]);
      for (const double x : run.section_rows[j]) s += fmt::format(",{:.17g}", x);
      s += "\n";
    }
  }
  return s;
}

std::pair<std::string, std::string> plane_of(const ReturnMap& map, const MapPortrait& portrait,
                                             const PlotRequest& request) {
  if (!request.panels.empty()) {
    const std::vector<std::string> sides = split_outside_brackets(request.panels[0], ':');
    if (sides.size() == 2 && !sides[0].empty() && !sides[1].empty()) return {sides[0], sides[1]};
    throw Error("usage", fmt::format("`{}` is no plane", request.panels[0]),
                "a section is drawn in two quantities",
                "write --plot \"x:y\" with names or expressions of the model");
  }
  std::vector<ReturnMap::Return> all;
  for (const auto& orbit : portrait.orbits) all.insert(all.end(), orbit.begin(), orbit.end());
  const std::vector<std::string> axes = section_axes(map.motion().flow(), section_run(map, all));
  if (axes.size() == 2) return {axes[0], axes[1]};
  throw Error("usage", "the points do not differ in two quantities", "there is no plane to draw them in",
              "write --plot \"x:y\", and start from more points with --starts");
}

std::vector<Panel> panels_of(const ReturnMap& map, const MapPortrait& portrait, PlotRequest request) {
  const Flow& flow = map.motion().flow();
  const auto [across, up] = plane_of(map, portrait, request);
  request.panels = {across + ":" + up};
  std::optional<Panel> panel;
  const auto add = [&](const Trajectory& run, PlotCurve look) {
    if (run.section_rows.empty()) return;
    const Panel made = requested_panels(flow, run, request)[0];
    if (!panel) {
      panel = made;
      panel->curves.clear();
    }
    look.x = made.curves[0].x;
    look.y = made.curves[0].y;
    if (!look.points)  // angles jump
      for (std::size_t k = 1; k < look.x.size(); ++k)
        if (std::abs(look.x[k] - look.x[k - 1]) > 3 || std::abs(look.y[k] - look.y[k - 1]) > 3)
          look.y[k] = NAN;
    panel->curves.push_back(std::move(look));
  };
  const bool alone = portrait.curves.empty() && portrait.cycles.empty();
  for (std::size_t k = 0; k < portrait.orbits.size(); ++k)
    add(section_run(map, portrait.orbits[k]), {.points = true, .colour = alone ? k : 7});
  bool stable_named = false, unstable_named = false;
  for (const InvariantCurve& c : portrait.curves) {
    bool& named = c.stable ? stable_named : unstable_named;
    add(section_run(flow, c.states, std::vector<double>(c.states.size(), map.start_time())),
        {.name = named      ? ""
                 : c.stable ? "stable manifold"
                            : "unstable manifold",
         .colour = c.stable ? 4 : 5});
    named = true;
  }
  // One curve of dots for each kind of cycle.
  std::vector<std::string> kinds;
  for (const Cycle& c : portrait.cycles)
    if (const std::string kind = cycle_kind(c); std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    std::vector<std::vector<double>> states;
    for (const Cycle& c : portrait.cycles)
      if (cycle_kind(c) == kinds[k])
        for (const Eigen::VectorXd& y : c.points) states.push_back(map.full_state(y));
    add(section_run(flow, states, std::vector<double>(states.size(), map.start_time())),
        {.name = kinds[k], .points = true, .colour = k == 0 ? 6 : 1 + k});
  }
  std::vector<Panel> panels;
  if (panel) {
    panel->title = portrait.levels.empty()
                       ? portrait.section
                       : fmt::format("{}, {}", portrait.section, fmt::join(portrait.levels, ", "));
    panels.push_back(*panel);
  }
  for (const auto& profile : portrait.rotations) {
    if (!profile || profile->orbits.empty()) continue;
    PlotCurve curve{.x = {0}, .y = {profile->at_centre}, .points = false};
    for (const RotationNumber& r : profile->orbits) {
      curve.x.push_back(r.distance);
      curve.y.push_back(r.rotation);
    }
    panels.push_back({"rotation number", "distance from the elliptic point", "turns per return", {curve}});
  }
  return panels;
}

}  // namespace rattleback
