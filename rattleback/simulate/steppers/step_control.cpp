#include <rattleback/simulate/steppers/step_control.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {

double StepControl::next(double h, double error, bool rejected) const {
  if (!std::isfinite(error)) return h / 10;
  const double factor = error == 0 ? 6 : 0.9 * std::pow(error, -exponent_);
  return h * std::clamp(factor, 1.0 / 3, rejected && error <= 1 ? 1.0 : 6.0);
}

void StepControl::require_progress(double t, double h) const {
  if (std::abs(h) > 4e-16 * std::abs(t) && std::abs(h) > 1e-300) return;
  throw StepFailure(
      t, "the steps became too short: the motion meets a singularity here, or the tolerance is out of reach");
}

}  // namespace rattleback
