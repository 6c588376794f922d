#pragma once
/// Step-size control from local error estimates.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

class StepControl {
 public:
  StepControl(const StepperSettings& settings, int order)
      : rtol_(settings.rtol), atol_(settings.atol), first_(settings.step), exponent_(1.0 / order) {}

  double rtol() const { return rtol_; }
  double atol() const { return atol_; }
  double scale(double a, double b) const { return atol_ + rtol_ * std::max(std::abs(a), std::abs(b)); }

  /// Hairer's guess [Hairer, Nørsett, Wanner 1993, II.4], or the step the user gives. f(t, y, rate) evaluates the rates.
  template <class F>
  double first_step(F&& f, double t, std::span<const double> y, std::span<const double> rate,
                    double duration) const {
    if (first_ > 0) return std::min(first_, duration);
    const auto norm = [&](auto&& value) {
      double total = 0;
      for (std::size_t i = 0; i < y.size(); ++i) total += std::pow(value(i) / scale(y[i], y[i]), 2);
      return std::sqrt(total / static_cast<double>(y.size()));
    };
    const double size = norm([&](std::size_t i) { return y[i]; });
    const double slope = norm([&](std::size_t i) { return rate[i]; });
    const double h = std::min(size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope, duration);
    std::vector<double> ahead(y.begin(), y.end()), there(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) ahead[i] += h * rate[i];
    f(t + h, ahead.data(), there.data());
    const double bend = norm([&](std::size_t i) { return there[i] - rate[i]; }) / h;
    const double steepest = std::max(slope, bend);
    const double by_order =
        steepest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / steepest, exponent_);
    const double guess = std::min({100 * h, by_order, duration});
    return std::isfinite(guess) && guess > 0 ? guess : duration * 1e-6;
  }
  /// h·0.9·error^(−1/order), at most six times and at least a third of h; no growth after a rejection.
  double next(double h, double error, bool rejected) const;
  void accepted(double h) { previous_ = h; }
  double previous() const { return previous_; }
  /// Throws StepFailure when the step no longer moves the time.
  void require_progress(double t, double h) const;

 private:
  double rtol_, atol_, first_, exponent_, previous_ = 0;
};

}  // namespace rattleback
