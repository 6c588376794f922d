// Declared in view/results/trajectory.hpp. Motions in more digits than double has.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <rattleback/simulate/runs/column_units.hpp>
#include <rattleback/view/results/trajectory.hpp>

namespace rattleback {

std::string as_text(const RunHead& head, const PreciseMotion& run) {
  std::string s = fmt::format("{}, t = {:.15g}\n", head.model, run.end);
  std::size_t width = 0;
  for (const std::string& name : run.names) width = std::max(width, name.size());
  for (std::size_t k = 0; k < run.names.size(); ++k)
    s += fmt::format("  {:<{}} = {}{}{}\n", run.names[k], width, run.final_row[k].starts_with('-') ? "" : " ",
                     run.final_row[k], unit_after(head.units, run.names[k]));
  s += fmt::format("{} of order {}, precision {}: {} steps\n", head.method, run.order, head.precision,
                   run.steps);
  if (!run.exact_start)
    s += "  the initial state has values that the constraints determine: those start as doubles\n";
  for (const Drift& d : run.drift)
    s += fmt::format("  drift of {} = {:.2e}  (initially {:.6g}{})\n", d.name, d.largest, d.initial,
                     unit_after(head.units, d.name));
  return s;
}

std::string as_json(const RunHead& head, const PreciseMotion& run) {
  nlohmann::ordered_json out{{"schema", "rattleback.simulate/1"},
                             {"model", head.model},
                             {"method", head.method},
                             {"precision", head.precision},
                             {"t", run.end}};
  for (std::size_t k = 0; k < run.names.size(); ++k) out["state"][run.names[k]] = run.final_row[k];
  for (const auto& [name, unit] : head.units) out["units"][name] = unit;
  out["steps"] = run.steps;
  out["order"] = run.order;
  out["exact_start"] = run.exact_start;
  out["drift"] = nlohmann::ordered_json::object();
  for (const Drift& d : run.drift) out["drift"][d.name] = d.largest;
  if (!run.t.empty()) {
    out["samples"]["t"] = run.t;
    for (std::size_t k = 0; k < run.names.size(); ++k) {
      auto& column = out["samples"][run.names[k]] = nlohmann::ordered_json::array();
      for (const auto& row : run.rows) column.push_back(row[k]);
    }
  }
  if (run.failure) out["failure"] = *run.failure;
  return out.dump(1) + "\n";
}

std::string as_csv(const RunHead& head, const PreciseMotion& run) {
  std::string s =
      fmt::format("# model: {}\n# method: {}, precision {}\n", head.model, head.method, head.precision);
  for (const Drift& d : run.drift) s += fmt::format("# drift of {}: {:.3g}\n", d.name, d.largest);
  if (run.failure) s += fmt::format("# ended early: {}\n", *run.failure);
  s += with_unit(head.units, "t");
  for (const std::string& name : run.names) s += "," + with_unit(head.units, name);
  s += "\n";
  for (std::size_t i = 0; i < run.t.size(); ++i)
    s += fmt::format("{:.17g},{}\n", run.t[i], fmt::join(run.rows[i], ","));
  return s;
}

}  // namespace rattleback
