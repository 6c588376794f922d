// Declared in simulate/steppers/steppers.hpp. The classical method of Kutta, order 4.
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/stage_sum.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

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
      rows_.shift(y_old_.data(), by, k.data(), n, stage_.data());
      return stage_.data();
    };
    f_(t_old_, y_old_.data(), k1_.data());
    f_(t_old_ + h / 2, shifted(k1_, h / 2), k2_.data());
    f_(t_old_ + h / 2, shifted(k2_, h / 2), k3_.data());
    f_(t_old_ + h, shifted(k3_, h), k4_.data());
    const double* const all[] = {k1_.data(), k2_.data(), k3_.data(), k4_.data()};
    rows_.kutta(y_old_.data(), h / 6, all, n, y_.data());
  }

 private:
  std::vector<double> k1_, k2_, k3_, k4_, stage_;
  const stage_rows::Functions& rows_ = stage_rows::functions();
};

}  // namespace

std::unique_ptr<Stepper> runge_kutta4(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<RungeKutta4>(flow, settings);
}

}  // namespace rattleback
