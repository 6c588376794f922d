// Declared in simulate/steppers/steppers.hpp. CVODE as a stepper: BDF for stiff motions and Adams for the others, where the extension is built.
#include <cmath>

#include <rattleback/native/extension.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/steppers/cvode_solver.hpp>
#include <rattleback/simulate/steppers/steppers.hpp>

namespace rattleback {
namespace {

class Cvode final : public Stepper {
 public:
  Cvode(const Flow& flow, const StepperSettings& settings, CvodeFamily family)
      : f_(flow),
        manifold_(flow),
        settings_(settings),
        family_(family),
        make_(extension<MakeCvodeSolver>("cvode", "rattleback_cvode_solver")) {}

  void start(double t, std::span<const double> y) override {
    t_ = t_old_ = t;
    y_.assign(y.begin(), y.end());
    y_old_ = y_;
    solver_.reset(make_({family_, rates, this, settings_.rtol, settings_.atol}, t, y));
    if (!solver_) throw StepFailure(t, "CVODE refuses to start: are the tolerances positive?");
  }

  void step(double end) override {
    t_old_ = t_;
    y_old_ = y_;
    require(solver_->step(end, t_, y_));
    manifold_(t_, y_.data());
    ++counts_.steps;
    counts_.rejected = solver_->rejected();
  }

  void at(double t, std::span<double> y) const override {
    if (solver_->at(t, y) < 0) throw StepFailure(t, "CVODE does not interpolate there");
    manifold_(t, y.data());
  }
  std::size_t evaluations() const override { return f_.count(); }

 private:
  static bool rates(void* self, double t, const double* y, double* out) {
    auto* stepper = static_cast<Cvode*>(self);
    stepper->f_(t, y, out);
    for (std::size_t i = 0; i < stepper->y_.size(); ++i)
      if (!std::isfinite(out[i])) return false;
    return true;
  }
  void require(int flag) const {
    if (flag < 0)
      throw StepFailure(t_, "CVODE gives up (code " + std::to_string(flag) +
                                "): the steps became too short, or the motion meets a singularity here");
  }

  Rates f_;
  mutable Manifold<double> manifold_;
  StepperSettings settings_;
  CvodeFamily family_;
  MakeCvodeSolver* make_;
  std::unique_ptr<CvodeSolver> solver_;
};

}  // namespace

std::unique_ptr<Stepper> cvode_bdf(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Cvode>(flow, settings, CvodeFamily::bdf);
}

std::unique_ptr<Stepper> cvode_adams(const Flow& flow, const StepperSettings& settings) {
  return std::make_unique<Cvode>(flow, settings, CvodeFamily::adams);
}

}  // namespace rattleback
