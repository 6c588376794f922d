#include <rattleback/simulate/steppers/taylor.hpp>

#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

class TaylorStepper final : public Stepper {
 public:
  TaylorStepper(const Flow& flow, const StepperSettings& settings)
      : method_(flow, std::max(settings.rtol, 1e-16)) {}

  void start(double t, std::span<const double> y) override {
    method_.start(t, {y.begin(), y.end()});
    t_ = t_old_ = t;
    y_ = y_old_ = method_.state;
  }
  void step(double end) override {
    y_old_ = y_;
    t_old_ = t_;
    if (!method_.step(end))
      throw StepFailure(t_, "the steps became too short: the motion meets a singularity here");
    t_ = method_.time;
    y_ = method_.state;
    ++counts_.steps;
  }
  void at(double t, std::span<double> y) const override { method_.at(t, y.data()); }
  /// One sweep over the code per order.
  std::size_t evaluations() const override { return counts_.steps * method_.order(); }

 private:
  Taylor<double> method_;
};

}  // namespace

std::unique_ptr<Stepper> taylor_stepper(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<TaylorStepper>(flow, settings);
}

}  // namespace rattleback
