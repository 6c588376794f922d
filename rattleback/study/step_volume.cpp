#include <rattleback/study/step_volume.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/study/bound_volume.hpp>
#include <rattleback/study/step_derivative.hpp>

namespace rattleback {
namespace {

using Vec = Eigen::VectorXd;

/// Angles come back between −π and π: differences of large numbers have few digits.
class Windings {
 public:
  explicit Windings(const Flow& flow) {
    for (std::size_t i = 0; i < flow.first_speed(); ++i)
      if (is_angle(flow.system().space, flow.state()[i])) angles_.push_back(static_cast<Eigen::Index>(i));
  }
  void unwind(Vec& y) const {
    for (const Eigen::Index i : angles_) y[i] = std::remainder(y[i], 2 * std::numbers::pi);
  }

 private:
  std::vector<Eigen::Index> angles_;
};

class LogDensity {
 public:
  LogDensity(const Flow& flow, const std::optional<Expr>& density) {
    if (density) of_.emplace(flow, std::vector<std::string>{"density"}, std::span(&*density, 1));
  }
  double operator()(double t, const Vec& y) {
    if (!of_) return 0;
    const double rho = (*of_)(t, {y.data(), static_cast<std::size_t>(y.size())})[0];
    if (std::isfinite(rho) && rho != 0) return std::log(std::abs(rho));
    throw Error("usage", fmt::format("the density is {} at t = {:.6g}", rho, t),
                "ln rho has no value there, so that nothing can be compared with the volume",
                "give a density that is positive along the motion");
  }

 private:
  std::optional<Observer> of_;
};

}  // namespace

StepVolume step_volume(const Flow& flow, std::span<const double> y, const StepVolumeQuestion& question) {
  if (is_state_bound(flow))
    throw Error("usage", "the state is bound by constraints",
                "the volume of its coordinates is not that of the space of states",
                "leave out --method: --volume follows the motion itself there");
  if (stepper_named(question.method).adaptive)
    throw Error("usage", fmt::format("`{}` chooses its steps itself", question.method),
                "its steps are no map: how long they are depends on the state in jumps",
                "choose a method of constant step: `rattleback simulate --help` lists them");
  if (!(question.step > 0)) throw Error("usage", "a step has no length", "", "add --step H");
  StepDerivative map(flow, question.method, question.step);
  const Windings windings(flow);
  LogDensity log_density(flow, question.density);
  StepVolume found;
  Vec now = Eigen::Map<const Vec>(y.data(), static_cast<Eigen::Index>(y.size()));
  const double before = log_density(0, now);
  double log_volume = 0;
  const std::size_t every =
      std::max<std::size_t>(1, question.steps / std::max<std::size_t>(1, question.samples));
  try {
    for (std::size_t k = 0; k < question.steps; ++k) {
      Budget::check();
      const double t = static_cast<double>(k) * question.step;
      const Vec next = map.step(t, now);
      log_volume += map.log_determinant(t, now, next);
      now = next;
      windings.unwind(now);
      ++found.steps;
      const double drift = log_volume + log_density(t + question.step, now) - before;
      found.largest = std::max(found.largest, std::abs(drift));
      if ((k + 1) % every != 0) continue;
      found.time.push_back(t + question.step);
      found.drift.push_back(drift);
    }
  } catch (const StepFailure& failure) {
    found.failure = fmt::format("at t = {:.6g}: {}", failure.time, failure.reason);
  }
  found.is_exact = map.is_exact();
  found.error = map.error();
  return found;
}

}  // namespace rattleback
