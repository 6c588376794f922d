#include <rattleback/simulate/runs/speed_poles.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/simulate/states/local_chart.hpp>

namespace rattleback {
namespace {

std::unique_ptr<Successor> in_other_speeds(ChartedState start, const RunOptions& options,
                                           const Stepper& before, std::string speeds) {
  StepperSettings settings = options.settings;
  settings.step = before.step_length();  // a constant step stays as it is
  auto successor = std::make_unique<Successor>(Successor{std::move(start.flow), nullptr, std::move(speeds)});
  successor->stepper = stepper_named(options.method).make(successor->flow, settings);
  successor->stepper->start(before.time(), start.state);
  return successor;
}

/// Derived once for a flow and its copies.
struct AllVelocities {
  explicit AllVelocities(const Flow& before) : flow(before.system(), Flow::Effort::quick, Flow::Speeds::all) {}
  Flow flow;
};

ChartedState in_all_velocities(const Flow& before, double t, std::span<const double> y) {
  Flow all = before.derived<AllVelocities>()->flow;
  all.set_parameters(before.parameter_values<double>());
  if (before.runs_backwards()) all.reverse_time();
  std::vector<double> state = state_in(all, before, t, y);
  return {std::move(all), std::move(state)};
}

}  // namespace

PoleWatch::PoleWatch(const Flow& flow, const std::string& method)
    : near_(needs_independent_speeds(method) ? 1.0 / 3 : 0.05) {
  if (flow.poles().empty()) return;
  code_ = flow.derived<CodeOfPoles>();
  f_.emplace(code_->code, flow.parameter_values<double>());
  now_.resize(flow.poles().size());
  farthest_.resize(now_.size());
}

bool PoleWatch::is_near(double t, std::span<const double> y) {
  if (!f_) return false;
  x_.assign(y.begin(), y.end());
  x_.push_back(t);
  (*f_)(x_.data(), now_.data());
  bool found = false;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    farthest_[k] = std::max(farthest_[k], std::abs(now_[k]));
    found = found || std::abs(now_[k]) < near_ * farthest_[k];
  }
  return found;
}

std::unique_ptr<Successor> succeeding(const Flow& flow, const RunOptions& options, const Stepper& stepper) {
  const double t = stepper.time();
  try {
    if (!needs_independent_speeds(options.method))
      return in_other_speeds(in_all_velocities(flow, t, stepper.state()), options, stepper, "all velocities");
    auto chart = in_local_chart(flow, t, stepper.state());
    if (!chart) return nullptr;
    std::string speeds = speeds_told(chart->flow);
    return in_other_speeds(*std::move(chart), options, stepper, std::move(speeds));
  } catch (const Error& error) {
    throw StepFailure(
        stepper.time(),
        fmt::format("the speeds of the model come near a pole, and in other speeds {}", error.summary));
  }
}

}  // namespace rattleback
