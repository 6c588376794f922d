#include <rattleback/simulate/step_control.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {

double StepControl::first_step(Rates& f, double t, std::span<const double> y, std::span<const double> rate,
                               double duration) const {
  if (first_ > 0) return std::min(first_, duration);
  const auto n = static_cast<double>(y.size());
  const auto norm = [&](auto&& value) {
    double total = 0;
    for (std::size_t i = 0; i < y.size(); ++i) total += std::pow(value(i) / scale(y[i], y[i]), 2);
    return std::sqrt(total / n);
  };
  const double size = norm([&](std::size_t i) { return y[i]; });
  const double slope = norm([&](std::size_t i) { return rate[i]; });
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
  h = std::min(h, duration);
  std::vector<double> ahead(y.begin(), y.end()), there(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) ahead[i] += h * rate[i];
  f(t + h, ahead.data(), there.data());
  const double bend = norm([&](std::size_t i) { return there[i] - rate[i]; }) / h;
  const double steepest = std::max(slope, bend);
  const double by_order = steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, exponent_);
  const double guess = std::min({100 * h, by_order, duration});
  return std::isfinite(guess) && guess > 0 ? guess : duration * 1e-6;
}

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
