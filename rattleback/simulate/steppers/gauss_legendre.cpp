// Declared in simulate/steppers/steppers.hpp. Collocation at Gauss's points: order 2s, symmetric; quadratic invariants are kept exactly.
#include <cmath>

#include <rattleback/simulate/steppers/collocation.hpp>
#include <rattleback/simulate/steppers/fixed_step.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

class Gauss final : public FixedStepper {
 public:
  Gauss(const Flow& flow, const StepperSettings& settings, std::span<const double> nodes)
      : FixedStepper(flow, settings), stages_(flow, nodes) {}
  std::size_t evaluations() const override { return FixedStepper::evaluations() + stages_.evaluations(); }

 protected:
  void advance(double h) override {
    if (!stages_.solve(t_old_, h, y_old_))
      throw StepFailure(t_old_,
                        "Newton's method for the implicit stages does not converge; try a shorter --step");
    const Eigen::VectorXd rise = h * (stages_.rates() * stages_.method().b);
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] = y_old_[i] + rise[static_cast<Eigen::Index>(i)];
  }

 private:
  StageEquations stages_;
};

}  // namespace

std::unique_ptr<Stepper> gauss4(const Flow& flow, const StepperSettings& settings) {
  const double r = std::sqrt(3.0) / 6;
  return std::make_unique<Gauss>(flow, settings, std::vector{0.5 - r, 0.5 + r});
}

std::unique_ptr<Stepper> gauss6(const Flow& flow, const StepperSettings& settings) {
  const double r = std::sqrt(15.0) / 10;
  return std::make_unique<Gauss>(flow, settings, std::vector{0.5 - r, 0.5, 0.5 + r});
}

}  // namespace rattleback
