#include <rattleback/view/results/trajectory.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/simulate/runs/column_units.hpp>

namespace rattleback {
namespace {

/// `a = b` as it is given, an expression as what reaches zero.
std::string equation(const std::string& event) {
  return event.find('=') == std::string::npos ? event + " = 0" : event;
}

using nlohmann::ordered_json;

std::string direction_name(int direction) {
  return direction > 0 ? "upwards" : direction < 0 ? "downwards" : "touching";
}

std::string tolerances(const RunHead& head, const Trajectory& run) {
  return run.step > 0 ? fmt::format("step {:g}", run.step)
                      : fmt::format("rtol {:g}, atol {:g}", head.rtol, head.atol);
}

/// Columns [first, first + count) of a row by name.
ordered_json named(const Trajectory& run, const std::vector<double>& row, std::size_t first,
                   std::size_t count) {
  ordered_json object = ordered_json::object();
  for (std::size_t k = first; k < first + count; ++k) object[run.names[k]] = row[k];
  return object;
}

/// "lambda blade" belongs to `multipliers` as "blade".
ordered_json reactions(const Trajectory& run, const std::vector<double>& row, const std::string& kind) {
  ordered_json object = ordered_json::object();
  for (std::size_t k = run.states + run.velocities + run.kept; k < run.names.size(); ++k)
    if (run.names[k].starts_with(kind)) object[run.names[k].substr(kind.size())] = row[k];
  return object;
}

ordered_json columns_of(const Trajectory& run, const std::vector<double>& t,
                        const std::vector<std::vector<double>>& rows) {
  ordered_json columns = ordered_json::object();
  columns["t"] = t;
  for (std::size_t k = 0; k < run.names.size(); ++k) {
    ordered_json column = ordered_json::array();
    for (const auto& row : rows) column.push_back(row[k]);
    columns[run.names[k]] = std::move(column);
  }
  return columns;
}

std::string quoted(const std::string& name) {
  return name.find(',') == std::string::npos ? name : fmt::format("\"{}\"", name);
}

}  // namespace

std::vector<std::string> unmet_events(const RunHead& head, const Trajectory& run) {
  std::vector<std::string> unmet;
  const bool section_is_last = !head.section.empty() && !head.events.empty();
  const std::size_t asked = head.events.size() - (section_is_last ? 1 : 0);
  for (std::size_t k = 0; k < asked; ++k) {
    const bool met = std::ranges::any_of(run.crossings, [&](const Crossing& c) { return c.event == k; });
    if (!met) unmet.push_back(equation(head.events[k]));
  }
  if (head.stops_at_lift_off && !run.lift_off) unmet.emplace_back("lift-off");
  return unmet;
}

namespace {

/// "ground rolls, wall slides" or "flight".
std::string named(const ContactPhase& phase) {
  std::vector<std::string> parts;
  if (!phase.closed.empty()) parts.push_back(fmt::format("{} closed", fmt::join(phase.closed, ", ")));
  if (!phase.sliding.empty()) parts.push_back(fmt::format("{} sliding", fmt::join(phase.sliding, ", ")));
  return parts.empty() ? "flight" : fmt::format("{}", fmt::join(parts, "; "));
}

std::string line_of(const ContactPhase& phase) {
  const double change = phase.energy_to - phase.energy_from;
  return fmt::format("t = {:.10g} to {:.10g}: {}, energy {:.10g}{}", phase.from, phase.to, named(phase),
                     phase.energy_to,
                     std::abs(change) > 1e-9 * (std::abs(phase.energy_from) + std::abs(phase.energy_to))
                         ? fmt::format(" (from {:.10g})", phase.energy_from)
                         : "");
}

std::string line_of(const ContactImpact& impact) {
  return fmt::format(
      "t = {:.15g}: {} hits with {:.6g} and {}{}, impulse {:.6g}{}, energy lost {:.6g}", impact.time,
      impact.contact, impact.approach, impact.outcome,
      impact.rebound > 0 ? fmt::format(" with {:.6g}", impact.rebound) : "", impact.normal_impulse,
      impact.tangential_impulse > 0 ? fmt::format(" and {:.6g} within the plane", impact.tangential_impulse)
                                    : "",
      impact.lost);
}

/// Phases and impacts in the order of time; of many the first and the last ones, with the number of those between. Then the balance.
std::vector<std::string> account_of_flight(const Trajectory& run, std::size_t most) {
  std::vector<std::pair<double, std::string>> lines;
  double impacts = 0, sliding = 0, rest = 0;
  for (const ContactPhase& phase : run.phases) {
    lines.emplace_back(phase.from, "phase " + line_of(phase));
    (phase.sliding.empty() ? rest : sliding) += phase.energy_from - phase.energy_to;
  }
  for (const ContactImpact& impact : run.impacts) {
    lines.emplace_back(impact.time, "impact " + line_of(impact));
    impacts += impact.lost;
  }
  std::ranges::stable_sort(lines, [](const auto& a, const auto& b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);  // impacts before phases
  });
  std::vector<std::string> all;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (lines.size() > most && k == most / 2) {
      const std::size_t left = lines.size() - most;
      all.push_back(fmt::format("… {} more phases and impacts", left));
      k += left;
    }
    all.push_back(lines[k].second);
  }
  if (!run.phases.empty()) {
    const double first = run.phases.front().energy_from, last = run.phases.back().energy_to;
    if (run.drift.empty())  // forces work as well
      all.push_back(
          fmt::format("energy {:.10g} = {:.10g} - {:.6g} at impacts {} {:.6g} by forces and in sliding", last,
                      first, impacts, last < first - impacts ? '-' : '+', std::abs(last - first + impacts)));
    else
      all.push_back(fmt::format("energy {:.10g} = {:.10g} - {:.6g} at impacts - {:.6g} in sliding, to {:.1e}",
                                last, first, impacts, sliding,
                                std::abs(first - impacts - sliding - rest - last) + std::abs(rest)));
  }
  return all;
}

ordered_json contact_json(const ContactPhase& phase) {
  return {{"from", phase.from},          {"to", phase.to},     {"closed", phase.closed},
          {"sliding", phase.sliding},    {"open", phase.open}, {"energy_from", phase.energy_from},
          {"energy_to", phase.energy_to}};
}

ordered_json contact_json(const ContactImpact& impact) {
  return {{"t", impact.time},
          {"contact", impact.contact},
          {"approach", impact.approach},
          {"rebound", impact.rebound},
          {"slip_before", impact.slip_before},
          {"slip_after", impact.slip_after},
          {"normal_impulse", impact.normal_impulse},
          {"tangential_impulse", impact.tangential_impulse},
          {"energy_lost", impact.lost},
          {"outcome", impact.outcome}};
}

}  // namespace

std::string as_text(const RunHead& head, const Trajectory& run) {
  std::string s = fmt::format("{}, t = {:.15g}\n", head.model, run.end);
  std::size_t width = 0;
  for (std::size_t k = 0; k < run.states; ++k) width = std::max(width, run.names[k].size());
  for (std::size_t k = 0; k < run.states; ++k)
    s += fmt::format("  {:<{}} = {: .15g}{}\n", run.names[k], width, run.final_row[k],
                     unit_after(head.units, run.names[k]));
  s += fmt::format("{}, {}: {} steps, {} rejected, {} evaluations\n", head.method, tolerances(head, run),
                   run.counts.steps, run.counts.rejected, run.evaluations);
  for (const auto& [call, formula] : head.formulas) s += fmt::format("  with {} = {}\n", call, formula);
  for (const Drift& d : run.drift)
    s += fmt::format("  drift of {} = {:.2e}{}\n", d.name, d.largest,
                     std::abs(d.initial) > 0
                         ? fmt::format("  (initially {:.6g}{})", d.initial, unit_after(head.units, d.name))
                         : "");
  for (const std::string& line : account_of_flight(run, 24)) s += line + "\n";
  if (run.drift.empty() && run.phases.empty()) s += "  nothing is known to be constant\n";
  if (!head.all_found) s += "  more may be constant: --search 60 looks for it\n";
  for (const Crossing& c : run.crossings)
    s += fmt::format("event {} {} at t = {:.15g}{}\n", equation(head.events[c.event]),
                     direction_name(c.direction), c.time, unit_after(head.units, "t"));
  for (const std::string& event : unmet_events(head, run))
    s += fmt::format("event {} does not happen until t = {:.6g}\n", event, run.end);
  if (!head.section.empty()) s += fmt::format("section {}: {} points\n", head.section, run.section_t.size());
  if (run.lift_off)
    s += fmt::format(
        "warning: {} becomes negative at t = {:.6g}: the contact would have to pull; the motion after that "
        "is not "
        "that of a body which may lift off\n",
        run.lift_off_contact, *run.lift_off);
  return s;
}

std::string as_json(const RunHead& head, const Trajectory& run) {
  ordered_json out;
  out["schema"] = "rattleback.simulate/1";
  out["model"] = head.model;
  out["method"] = head.method;
  if (run.step > 0) {
    out["step"] = run.step;
  } else {
    out["rtol"] = head.rtol;
    out["atol"] = head.atol;
  }
  out["parameters"] = ordered_json::object();
  for (const auto& [name, value] : head.parameters) out["parameters"][name] = value;
  for (const auto& [call, formula] : head.formulas) out["formulas"][call] = formula;
  for (const auto& [name, unit] : head.units) out["units"][name] = unit;
  out["t"] = run.end;
  out["state"] = named(run, run.final_row, 0, run.states);
  out["velocities"] = named(run, run.final_row, run.states, run.velocities);
  out["steps"] = run.counts.steps;
  out["rejected"] = run.counts.rejected;
  out["evaluations"] = run.evaluations;
  out["invariants"] = named(run, run.final_row, run.states + run.velocities, run.kept);
  out["drift"] = ordered_json::object();
  for (const Drift& d : run.drift) out["drift"][d.name] = d.largest;
  if (!head.all_found) out["search_incomplete"] = true;
  out["multipliers"] = reactions(run, run.final_row, "lambda ");
  out["reactions"] = reactions(run, run.final_row, "reaction ");
  if (!head.events.empty()) {
    out["events"] = ordered_json::array();
    for (const Crossing& c : run.crossings)
      out["events"].push_back(
          {{"event", head.events[c.event]}, {"t", c.time}, {"direction", direction_name(c.direction)}});
  }
  if (const auto unmet = unmet_events(head, run); !unmet.empty()) out["unmet"] = unmet;
  if (run.lift_off) out["lift_off"] = {{"contact", run.lift_off_contact}, {"t", *run.lift_off}};
  for (const ContactPhase& phase : run.phases) out["phases"].push_back(contact_json(phase));
  for (const ContactImpact& impact : run.impacts) out["impacts"].push_back(contact_json(impact));
  if (!run.t.empty()) out["samples"] = columns_of(run, run.t, run.rows);
  if (!head.section.empty()) {
    out["section"] = {{"where", head.section}};
    out["section"]["points"] = columns_of(run, run.section_t, run.section_rows);
  }
  if (run.failure) out["failure"] = *run.failure;
  return out.dump(1) + "\n";
}

std::string as_csv(const RunHead& head, const Trajectory& run) {
  std::string s =
      fmt::format("# model: {}\n# method: {}, {}\n", head.model, head.method, tolerances(head, run));
  for (const auto& [name, value] : head.parameters)
    s += fmt::format("# parameter {}: {:.17g}{}\n", name, value, unit_after(head.units, name));
  for (const auto& [call, formula] : head.formulas) s += fmt::format("# formula {}: {}\n", call, formula);
  s += fmt::format("# steps: {}\n", run.counts.steps);
  for (const Drift& d : run.drift) s += fmt::format("# drift of {}: {:.3g}\n", d.name, d.largest);
  for (const Crossing& c : run.crossings)
    s += fmt::format("# event: {} {} at t = {:.17g}\n", equation(head.events[c.event]),
                     direction_name(c.direction), c.time);
  for (const std::string& line : account_of_flight(run, run.phases.size() + run.impacts.size()))
    s += fmt::format("# {}\n", line);
  for (const std::string& event : unmet_events(head, run)) s += fmt::format("# no event: {}\n", event);
  if (run.failure) s += fmt::format("# ended early: {}\n", *run.failure);
  if (!head.section.empty()) s += fmt::format("# section: {}\n", head.section);
  s += with_unit(head.units, "t");
  for (const std::string& name : run.names) s += "," + quoted(with_unit(head.units, name));
  s += "\n";
  const bool section = !head.section.empty();
  const auto& t = section ? run.section_t : run.t;
  const auto& rows = section ? run.section_rows : run.rows;
  for (std::size_t i = 0; i < t.size(); ++i)
    s += fmt::format("{:.17g},{:.17g}\n", t[i], fmt::join(rows[i], ","));
  return s;
}

}  // namespace rattleback
