#pragma once
/// How long the next step may be, from the error of the last.

#include <rattleback/simulate/stepper.hpp>

namespace rattleback {

class StepControl {
 public:
  StepControl(const StepperSettings& settings, int order)
      : rtol_(settings.rtol), atol_(settings.atol), first_(settings.step), exponent_(1.0 / order) {}

  double scale(double a, double b) const { return atol_ + rtol_ * std::max(std::abs(a), std::abs(b)); }

  /// Hairer's guess [Hairer, Nørsett, Wanner 1993, II.4], or the step the user gives.
  double first_step(Rates& f, double t, std::span<const double> y, std::span<const double> rate,
                    double duration) const;
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
