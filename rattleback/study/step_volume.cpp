#include <rattleback/study/step_volume.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/simulate/states/newton.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/study/bound_volume.hpp>
#include <rattleback/study/phase_volume.hpp>

namespace rattleback {
namespace {

using Mat = Eigen::MatrixXd;
using Vec = Eigen::VectorXd;

/// Orthonormal directions of the states near y: the axes, and for a unit quaternion q those of q i, q j, q k.
Mat tangent_basis(const Flow& flow, const Vec& y) {
  const Eigen::Index n = y.size(), quaternions = static_cast<Eigen::Index>(flow.quaternions().size());
  Mat basis = Mat::Zero(n, n - quaternions);
  Eigen::Index column = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const bool begins = std::find(flow.quaternions().begin(), flow.quaternions().end(),
                                  static_cast<std::size_t>(i)) != flow.quaternions().end();
    if (!begins) {
      basis(i, column++) = 1;
      continue;
    }
    const double w = y[i], a = y[i + 1], b = y[i + 2], c = y[i + 3];
    basis.block(i, column, 4, 3) << -a, -b, -c, w, -c, b, c, w, -a, -b, a, w;
    column += 3;
    i += 3;
  }
  return basis;
}

/// One step of a method as a map.
class StepMap {
 public:
  StepMap(const Flow& flow, const StepVolumeQuestion& question)
      : flow_(flow),
        h_(question.step),
        stepper_(stepper_named(question.method)
                     .make(flow, {.rtol = 1e-13, .atol = 1e-15, .step = question.step})) {
    if (stepper_->has_memory())
      throw Error("usage", fmt::format("a step of `{}` depends on those before it", question.method),
                  "it carries a momentum that the state does not determine, so a step is no map of states",
                  "choose another method of constant step: `rattleback simulate --help` lists them");
  }

  Vec operator()(double t, const Vec& y) {
    nearby_.keep_next_step();
    return stepped(t, y);
  }
  /// ln |det| of its derivative between the tangent spaces at y and at its image, which was asked for last.
  double log_determinant(double t, const Vec& y, const Vec& image) {
    constexpr double e = 1e-3;
    const Mat from = tangent_basis(flow_, y), to = tangent_basis(flow_, image);
    Mat slopes(to.cols(), from.cols());
    for (Eigen::Index j = 0; j < from.cols(); ++j) {
      const auto at = [&](double s) {
        nearby_.start_from_kept();
        return stepped(t, moved(y, s * from.col(j)));
      };
      const Vec slope = (8 * (at(e) - at(-e)) - (at(2 * e) - at(-2 * e))) / (12 * e);
      slopes.col(j) = to.transpose() * slope;
    }
    return std::log(std::abs(dense::determinant(slopes)));
  }

 private:
  Vec stepped(double t, const Vec& y) {
    stepper_->start(t, {y.data(), static_cast<std::size_t>(y.size())});
    stepper_->step(t + h_);
    const auto after = stepper_->state();
    return Eigen::Map<const Vec>(after.data(), static_cast<Eigen::Index>(after.size()));
  }
  /// A quaternion moves along its sphere: the differences have equal lengths there.
  Vec moved(const Vec& y, const Vec& by) const {
    Vec z = y + by;
    for (const std::size_t q : flow_.quaternions()) {
      const auto i = static_cast<Eigen::Index>(q);
      const double s = by.segment(i, 4).norm();
      if (s > 0) z.segment(i, 4) = std::cos(s) * y.segment(i, 4) + std::sin(s) / s * by.segment(i, 4);
    }
    return z;
  }

  const Flow& flow_;
  double h_;
  std::unique_ptr<Stepper> stepper_;
  NearbySolutions nearby_;
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
  StepMap map(flow, question);
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
      const Vec next = map(t, now);
      log_volume += map.log_determinant(t, now, next);
      now = next;
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
  return found;
}

}  // namespace rattleback
