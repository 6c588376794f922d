#pragma once
/// Base of steppers of constant step: step length and cubic Hermite dense output.

#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

class FixedStepper : public Stepper {
 public:
  FixedStepper(const Flow& flow, const StepperSettings& settings)
      : f_(flow), manifold_(flow), step_(settings.step) {}

  void start(double t, std::span<const double> y) override;
  void step(double end) override;
  /// Hermite's cubic through both ends and their rates: error O(h⁴).
  void at(double t, std::span<double> y) const override;
  std::size_t evaluations() const override { return f_.count(); }
  double step_length() const override { return step_; }

 protected:
  /// y(t + h) from y_old_ at t_old_, into y_.
  virtual void advance(double h) = 0;
  /// The old state, before advance(); the new one and its rates, at t, after it. Throws StepFailure.
  void leave();
  void arrive(double t);
  /// Of an implicit step: returns to the old state and throws StepFailure when it has no solution.
  void require_solved(bool solved);

  Rates f_;
  Manifold<double> manifold_;
  double step_;

 private:
  std::vector<double> rate_old_, rate_;
};

/// The default step: a thousandth of the duration, and so short that no variable y changes by more than 0.01 (1 + |y|) in it.
double default_step(Rates& f, double t, std::span<const double> y, double duration);

}  // namespace rattleback
