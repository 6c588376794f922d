#include <rattleback/simulate/runs/dense_output.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/search_limits.hpp>

namespace rattleback {

DenseOutput::DenseOutput(std::size_t dimension, std::size_t points) : dimension_(dimension), points_(points) {
  for (std::size_t j = 0; j < points; ++j)
    nodes_.push_back(-std::cos(std::numbers::pi * static_cast<double>(j) / static_cast<double>(points - 1)));
}

void DenseOutput::add(const Stepper& stepper, double end, const ReportedState& reported) {
  const double from = stepper.previous_time(), to = std::min(stepper.time(), end);
  if (!(from < to)) return;
  begins_.push_back(from);
  ends_.push_back(to);
  std::vector<double> state(stepper.state().size());
  for (std::size_t j = 0; j < points_; ++j) {
    const double t = j == 0 ? from : j + 1 == points_ ? to : from + (to - from) * (nodes_[j] + 1) / 2;
    if (j == 0) {
      state.assign(stepper.previous_state().begin(), stepper.previous_state().end());
    } else if (t == stepper.time()) {
      state.assign(stepper.state().begin(), stepper.state().end());
    } else {
      stepper.at(t, state);
    }
    const std::vector<double> value = reported(t, state);
    values_.insert(values_.end(), value.begin(), value.end());
  }
}

void DenseOutput::at(double t, std::span<double> y) const {
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), t);
  const std::size_t step = next == begins_.begin() ? 0 : static_cast<std::size_t>(next - begins_.begin()) - 1;
  const double from = begins_[step], to = ends_[step];
  const double* values = values_.data() + step * points_ * dimension_;
  const double x = 2 * ((t - from) / (to - from)) - 1;
  std::fill(y.begin(), y.end(), 0.0);
  double total = 0;
  for (std::size_t j = 0; j < points_; ++j, values += dimension_) {
    const double gap = x - nodes_[j];
    if (gap == 0) {
      std::copy(values, values + dimension_, y.begin());
      return;
    }
    const double end_weight = j == 0 || j + 1 == points_ ? 0.5 : 1.0;
    const double weight = (j % 2 == 0 ? end_weight : -end_weight) / gap;
    total += weight;
    for (std::size_t i = 0; i < dimension_; ++i) y[i] += weight * values[i];
  }
  for (double& value : y) value /= total;
}

std::size_t dense_points(const StepperRow& method) {
  constexpr std::size_t most = search_limits::points_of_dense_output.count, least = 5;
  return method.order == 0 ? most : std::clamp(static_cast<std::size_t>(method.order) + 2, least, most);
}

}  // namespace rattleback
