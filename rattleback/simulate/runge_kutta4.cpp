/// The classical method of Kutta, order 4.
#include <rattleback/simulate/fixed_step.hpp>
#include <rattleback/simulate/steppers.hpp>

namespace rattleback {
namespace {

class RungeKutta4 final : public FixedStepper {
 public:
  using FixedStepper::FixedStepper;

 protected:
  void advance(double h) override {
    const std::size_t n = y_.size();
    for (auto* k : {&k1_, &k2_, &k3_, &k4_, &stage_}) k->resize(n);
    const auto shifted = [&](const std::vector<double>& k, double by) {
      for (std::size_t i = 0; i < n; ++i) stage_[i] = y_old_[i] + by * k[i];
      return stage_.data();
    };
    f_(t_old_, y_old_.data(), k1_.data());
    f_(t_old_ + h / 2, shifted(k1_, h / 2), k2_.data());
    f_(t_old_ + h / 2, shifted(k2_, h / 2), k3_.data());
    f_(t_old_ + h, shifted(k3_, h), k4_.data());
    for (std::size_t i = 0; i < n; ++i) y_[i] = y_old_[i] + h / 6 * (k1_[i] + 2 * (k2_[i] + k3_[i]) + k4_[i]);
  }

 private:
  std::vector<double> k1_, k2_, k3_, k4_, stage_;
};

}  // namespace

std::unique_ptr<Stepper> runge_kutta4(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<RungeKutta4>(flow, settings);
}

}  // namespace rattleback
