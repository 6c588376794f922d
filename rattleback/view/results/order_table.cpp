#include <rattleback/view/results/order_table.hpp>

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback {
namespace {

/// Rounding is not worth two digits, and differs between machines.
std::string drift_text(double drift) {
  return std::isnan(drift) ? "" : drift < 1e-12 ? "rounding" : fmt::format("{:.0e}", drift);
}

}  // namespace

std::string as_text(const std::vector<MeasuredOrder>& table) {
  std::string s = fmt::format("{:<18} {:>7} {:>8} {:>8} {:>9} {:>13}\n", "method", "claimed", "measured",
                              "step", "error", "energy drift");
  for (const MeasuredOrder& m : table) {
    s += fmt::format("{:<18} {:>7} ", m.method, m.claimed);
    if (m.refused) {
      s += fmt::format("   does not apply: {}\n", *m.refused);
      continue;
    }
    const std::string drift = drift_text(m.energy_drift);
    s += fmt::format("{:>8.1f} {:>8g} {:>9.0e}{}\n", m.order, m.step, m.error,
                     drift.empty() ? "" : fmt::format(" {:>13}", drift));
  }
  return s;
}

std::string as_json(const std::string& model, double until, const std::vector<MeasuredOrder>& table) {
  nlohmann::ordered_json out{{"schema", "rattleback.orders/1"}, {"model", model}, {"t", until}};
  nlohmann::ordered_json methods = nlohmann::ordered_json::object();
  for (const MeasuredOrder& m : table) {
    nlohmann::ordered_json row{{"claimed", m.claimed}};
    if (m.refused) {
      row["does_not_apply"] = *m.refused;
    } else {
      row["measured"] = m.order;
      row["step"] = m.step;
      row["error"] = m.error;
      if (!std::isnan(m.energy_drift)) row["energy_drift"] = m.energy_drift;
    }
    methods[m.method] = std::move(row);
  }
  out["methods"] = std::move(methods);
  return out.dump(1) + "\n";
}

}  // namespace rattleback
