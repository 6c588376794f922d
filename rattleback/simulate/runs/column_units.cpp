#include <rattleback/simulate/runs/column_units.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/model/system/units.hpp>
#include <rattleback/motion/equations/kinematics.hpp>

namespace rattleback {
namespace {

using Units = std::vector<std::pair<std::string, std::string>>;

/// λ of a constraint C gives the power λ C, a reaction along v the power R v.
void add_reactions(const System& system, Units& units) {
  const auto energy = dimension_of(system, system.lagrangian);
  if (!energy) return;
  const PhysicalDimension power_of_motion = *energy / unit_named("s")->dimension;
  const auto add = [&](const std::string& name, const std::optional<PhysicalDimension>& rate) {
    if (rate) units.emplace_back(name, text(power_of_motion / *rate));
  };
  for (const Constraint& c : system.constraints) add("lambda " + c.name, dimension_of(system, c.expression));
  for (int i = 0; i < system.space.dimension(); ++i)
    add("reaction " + leg_name(system.space, i),
        dimension_of(system, Expr(system.space.velocities()[static_cast<std::size_t>(i)])));
  for (const Contact& c : system.contacts) {
    for (const char* direction : {"normal", "along", "across", "roller"})
      if (const auto velocity = dimension_of(system, c.slip_along))
        units.emplace_back(fmt::format("reaction {}.{}", c.name, direction),
                           text(power_of_motion / *velocity));
    units.emplace_back(fmt::format("reaction {}.spin", c.name), "N*m");
  }
}

}  // namespace

Units column_units(const Flow& flow, const RunOptions& options) {
  const System& system = flow.system();
  Units units;
  const std::string time = unit_of(system, "t");
  if (time.empty()) return units;
  units.emplace_back("t", time);
  const auto add = [&](const std::string& name) {
    if (const std::string unit = unit_of(system, name); !unit.empty() && unit != "1")
      units.emplace_back(name, unit);
  };
  for (const Parameter& p : system.parameters) add(p.symbol.name());
  for (const Symbol q : system.space.functions()) add(q.name());
  for (const Symbol v : system.space.velocities()) add(v.name());
  for (const QuasiVelocity& u : system.velocities) add(u.symbol.name());
  for (const Invariant& kept : options.invariants)
    if (const std::string unit = unit_of(system, kept.value); !unit.empty())
      units.emplace_back(kept.name, unit);
  add_reactions(system, units);
  return units;
}

std::string unit_after(const Units& units, const std::string& name) {
  const auto found = std::ranges::find(units, name, &Units::value_type::first);
  return found == units.end() ? "" : " " + found->second;
}

std::string with_unit(const Units& units, const std::string& name) {
  const auto found = std::ranges::find(units, name, &Units::value_type::first);
  return found == units.end() ? name : fmt::format("{} [{}]", name, found->second);
}

}  // namespace rattleback
