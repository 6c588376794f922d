#include <rattleback/simulate/runs/measured_order.hpp>

#include <cmath>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

}  // namespace

std::vector<MeasuredOrder> measured_orders(const Flow& flow, std::span<const double> y, double until,
                                           double step) {
  RunOptions options;
  options.until = until;
  options.reactions = false;
  options.settings = {1e-16, 1e-18, 0};
  const std::vector<double> exact = trajectory(flow, y, options).final_state;
  options.invariants = known_invariants(flow.system());
  const bool has_energy = !options.invariants.empty() && options.invariants.front().name == "energy";
  std::vector<MeasuredOrder> table;
  for (const StepperRow& row : all_steppers()) {
    if (row.adaptive) continue;
    MeasuredOrder measured{row.name, row.order, row.order > 4 ? 4 * step : step};
    options.method = row.name;
    double errors[2];
    try {
      for (int k = 0; k < 2 && !measured.refused; ++k) {
        options.settings = {0, 0, measured.step / (1 << k)};
        const Trajectory run = trajectory(flow, y, options);
        measured.refused = run.failure;
        errors[k] = distance(run.final_state, exact);
        if (k == 0) measured.energy_drift = has_energy ? run.drift.front().relative() : NAN;
      }
      measured.error = errors[0];
      measured.order = std::log2(errors[0] / errors[1]);
    } catch (const Inapplicable& error) {
      measured.refused = error.why;
    }
    table.push_back(std::move(measured));
  }
  return table;
}

}  // namespace rattleback
