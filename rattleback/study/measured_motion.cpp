#include <rattleback/study/measured_motion.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/model/system/units.hpp>
#include <rattleback/simulate/states/observer.hpp>
#include <rattleback/simulate/steppers/stepper.hpp>
#include <rattleback/study/reduced_motion.hpp>

namespace rattleback {
namespace {

/// States at equal times after a transient.
std::vector<std::vector<double>> sampled(const Flow& flow, std::span<const double> start, double transient,
                                         double until, std::size_t samples) {
  const auto stepper = stepper_named("dop853").make(flow, {1e-11, 1e-13, 0});
  stepper->start(0, start);
  std::vector<double> y(start.begin(), start.end());
  std::vector<std::vector<double>> states;
  const double interval = until / static_cast<double>(samples);
  try {
    while (stepper->time() < transient) {
      Budget::check();
      stepper->step(transient);
    }
    std::size_t k = 1;
    while (k <= samples) {
      Budget::check();
      stepper->step(transient + until);
      for (; k <= samples && transient + static_cast<double>(k) * interval <= stepper->time() * (1 + 1e-15);
           ++k) {
        stepper->at(std::min(stepper->time(), transient + static_cast<double>(k) * interval), y);
        states.push_back(y);
      }
    }
  } catch (const StepFailure& failure) {
    throw Error("motion-ends",
                fmt::format("the motion ends at t = {:.10g}, before {:g}", failure.time, transient + until),
                failure.reason, "measure a shorter time with --until");
  }
  return states;
}

/// The numbers on which the motion depends, angles as points of circles; at most 4000 of them.
Eigen::MatrixXd points_of(const ReducedMotion& motion, const std::vector<std::vector<double>>& states) {
  const std::size_t stride = std::max<std::size_t>(1, states.size() / 4000);
  std::vector<Eigen::Index> angles;
  for (Eigen::Index i = 0; i < motion.size(); ++i)
    if (motion.is_angle(i)) angles.push_back(i);
  const Eigen::Index rows = motion.size() + static_cast<Eigen::Index>(angles.size());
  Eigen::MatrixXd points(rows, static_cast<Eigen::Index>((states.size() + stride - 1) / stride));
  for (Eigen::Index c = 0; c < points.cols(); ++c) {
    const Eigen::VectorXd y = motion.kept_of(states[static_cast<std::size_t>(c) * stride]);
    points.col(c).head(motion.size()) = y;
    for (std::size_t a = 0; a < angles.size(); ++a) {
      points(angles[a], c) = std::cos(y[angles[a]]);
      points(motion.size() + static_cast<Eigen::Index>(a), c) = std::sin(y[angles[a]]);
    }
  }
  return points;
}

void measure_series(const Flow& flow, std::span<const double> y, const SeriesQuestion& asked, Measures& all) {
  constexpr std::size_t fewest = search_limits::samples_of_a_zero_one_test.count, of_recurrence = 2000;
  all.observed = asked.name;
  all.samples = std::max(fewest, asked.samples);
  all.interval = all.until / static_cast<double>(all.samples);
  Observer observer(flow, {asked.name}, std::span(&asked.quantity, 1));
  const std::vector<std::vector<double>> states = sampled(flow, y, asked.transient, all.until, all.samples);
  std::vector<double> x;
  for (std::size_t k = 0; k < states.size(); ++k)
    x.push_back(observer(asked.transient + static_cast<double>(k + 1) * all.interval, states[k])[0]);
  all.spectrum = power_spectrum(x, all.interval, asked.window);
  Budget::check();
  all.zero_one = zero_one_of(x);
  Budget::check();
  const ReducedMotion motion(flow.system(), y, {}, {});
  const Eigen::MatrixXd points = points_of(motion, states);
  // Neighbours in time do not count: twice the correlation time.
  const std::size_t theiler = 2 * x.size() / std::max<std::size_t>(1, decorrelated(x).size()) *
                                  static_cast<std::size_t>(points.cols()) / x.size() +
                              1;
  all.dimension = correlation_dimension(points, theiler);
  Budget::check();
  const Eigen::Index some = std::min<Eigen::Index>(points.cols(), of_recurrence);
  all.recurrence = recurrence(points.leftCols(some), theiler);
}

}  // namespace

Measures measured_motion(const Flow& flow, std::span<const double> y, const MeasureQuestion& question) {
  Measures all;
  all.model = flow.system().name;
  all.time_unit = unit_of(flow.system(), "t");
  all.until = question.until;
  if (question.series) measure_series(flow, y, *question.series, all);
  if (question.covariant) all.covariant = covariant_vectors(flow, y, all.until, *question.covariant);
  if (question.volume) all.volume = phase_volume(flow, y, *question.volume);
  return all;
}

}  // namespace rattleback
