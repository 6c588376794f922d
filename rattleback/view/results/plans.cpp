#include <rattleback/view/results/plans.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <rattleback/model/system/units.hpp>

namespace rattleback {

namespace {

/// " N" behind a number, or nothing.
std::string unit_behind(const System& system, const std::string& name) {
  const std::string unit = unit_of(system, name);
  return unit.empty() || unit == "1" ? "" : " " + unit;
}

/// "F [N]" at the head of a column.
std::string heading(const System& system, const std::string& name) {
  const std::string unit = unit_of(system, name);
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

}  // namespace

std::string as_csv(const System& system, const Plan& plan) {
  std::string s = heading(system, "t");
  for (const std::string& name : plan.inputs) s += "," + heading(system, name);
  s += "\n";
  for (std::size_t c = 0; c < plan.times.size(); ++c) {
    s += fmt::format("{:.17g}", plan.times[c]);
    for (const std::vector<double>& u : plan.corners) s += fmt::format(",{:.17g}", u[c]);
    s += "\n";
  }
  return s;
}

std::string as_text(const System& system, const Plan& plan, const std::vector<Goal>& goals,
                    const PlanOptions& options) {
  if (!plan.found)
    return fmt::format(
        "plan: not found\n  why: {} guesses of {} corners each were tried; the nearest missed a goal by "
        "{:.3g}\n  next: give more time "
        "(--duration), more corners (--pieces) or wider ranges; this does not show that there is none\n",
        plan.starts, (options.pieces + 1) * static_cast<int>(plan.inputs.size()), plan.nearest);
  std::string s = fmt::format("plan: found, guess {}; effort {:.6g}\n", plan.starts, plan.effort);
  for (std::size_t k = 0; k < plan.inputs.size(); ++k) {
    const auto [least, most] = std::ranges::minmax(plan.corners[k]);
    s += fmt::format("  {} from {:.6g} to {:.6g}{}", plan.inputs[k], least, most,
                     unit_behind(system, plan.inputs[k]));
    const auto& [low, high] = plan.ranges[k];
    s += std::isfinite(high - low) ? fmt::format(", range [{:g}, {:g}]\n", low, high) : ", no range stated\n";
  }
  s += fmt::format("  reached at t = {:g}, by a run with dop853 in {} steps:\n", options.duration,
                   plan.verified_steps);
  for (std::size_t k = 0; k < goals.size(); ++k)
    s += fmt::format("    {} = {:.9g}{}, off by {:.1e}\n", goals[k].name, plan.reached[k],
                     unit_behind(system, goals[k].name), std::abs(plan.reached[k] - goals[k].value));
  return s;
}

std::string as_json(const Plan& plan, const std::vector<Goal>& goals) {
  nlohmann::ordered_json out{
      {"schema", "rattleback.plan/1"}, {"found", plan.found}, {"guesses", plan.starts}};
  if (!plan.found) {
    out["nearest_miss"] = plan.nearest;
    return out.dump(1) + "\n";
  }
  out["effort"] = plan.effort;
  out["t"] = plan.times;
  for (std::size_t k = 0; k < plan.inputs.size(); ++k) out["inputs"][plan.inputs[k]] = plan.corners[k];
  for (std::size_t k = 0; k < goals.size(); ++k)
    out["goals"][goals[k].name] = {{"wanted", goals[k].value}, {"reached", plan.reached[k]}};
  return out.dump(1) + "\n";
}

}  // namespace rattleback
