#include <rattleback/simulate/steppers/fixed_step.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {

double default_step(Rates& f, double t, std::span<const double> y, double duration) {
  std::vector<double> rate(y.size());
  f(t, y.data(), rate.data());
  double fastest = 0;
  for (std::size_t k = 0; k < y.size(); ++k)
    fastest = std::max(fastest, std::abs(rate[k]) / (1 + std::abs(y[k])));
  const double longest = std::abs(duration) / 1000;
  return fastest > 0 ? std::min(longest, 0.01 / fastest) : longest;
}

void FixedStepper::start(double t, std::span<const double> y) {
  t_ = t_old_ = t;
  y_.assign(y.begin(), y.end());
  y_old_ = y_;
  rate_.resize(y_.size());
  rate_old_.resize(y_.size());
  f_(t_, y_.data(), rate_.data());
}

void FixedStepper::step(double end) {
  if (step_ == 0) step_ = default_step(f_, t_, y_, end - t_);
  // A remainder below 1e-6 of a step is added to the step before it: in a shorter one rounding would decide where implicit steps lead.
  const double left = end - t_, h = left < step_ * (1 + 1e-6) ? left : step_;
  if (t_ + h == t_) throw StepFailure(t_, "the step is too short to move the time; try a longer --step");
  leave();
  advance(h);
  arrive(h == left ? end : t_old_ + h);
}

void FixedStepper::leave() {
  t_old_ = t_;
  y_old_ = y_;
  rate_old_ = rate_;
}

void FixedStepper::arrive(double t) {
  t_ = t;
  manifold_(t_, y_.data());
  f_(t_, y_.data(), rate_.data());
  ++counts_.steps;
  const auto is_finite = [](double x) { return std::isfinite(x); };
  const bool state = std::all_of(y_.begin(), y_.end(), is_finite);
  if (state && std::all_of(rate_.begin(), rate_.end(), is_finite)) return;
  y_ = y_old_;
  rate_ = rate_old_;
  t_ = t_old_;
  throw StepFailure(t_, state ? "the rates are no longer numbers" : "the state is no longer a number");
}

void FixedStepper::require_solved(bool solved) {
  if (solved) return;
  y_ = y_old_;
  t_ = t_old_;
  throw StepFailure(t_old_, "the implicit step has no solution nearby; try a shorter --step");
}

void FixedStepper::at(double t, std::span<double> y) const {
  const double h = t_ - t_old_, s = h == 0 ? 0 : (t - t_old_) / h, r = 1 - s;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double rise = y_[k] - y_old_[k];
    y[k] = y_old_[k] * r + y_[k] * s + s * r * (r * (h * rate_old_[k] - rise) - s * (h * rate_[k] - rise));
  }
}

}  // namespace rattleback
