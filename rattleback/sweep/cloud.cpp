#include <rattleback/sweep/cloud.hpp>

#include <algorithm>
#include <cmath>

#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/sweep/lane_work.hpp>

namespace rattleback {
namespace {

constexpr std::size_t most_steps_between_frames = search_limits::steps_between_frames.count;

/// The constants of a code at the parameters of a flow: one column of length one for each.
Columns constants_at_parameters(const Code& code, const Flow& flow) {
  const std::vector<double> values = flow.parameter_values<double>();
  Columns parameters(values.size(), 1);
  std::copy(values.begin(), values.end(), parameters.numbers.begin());
  return LaneConstants(code)(parameters);
}

}  // namespace

Cloud::Cloud(const Flow& flow, std::span<const double> states, const StepperSettings& settings)
    : flow_(&flow),
      settings_(settings),
      state_(flow.dimension(), states.size() / flow.dimension()),
      constants_(constants_at_parameters(flow.rates(), flow)),
      alive_(state_.members, true) {
  for (std::size_t m = 0; m < state_.members; ++m)
    for (std::size_t i = 0; i < flow.dimension(); ++i) state_[i][m] = states[m * flow.dimension() + i];
  if (flow.projection() != nullptr) {
    stepper_ = stepper_named("dop853").make(flow, settings);
    return;
  }
  method_ = std::make_unique<LaneMethod>(
      flow.rates(), std::vector<std::uint32_t>(flow.quaternions().begin(), flow.quaternions().end()),
      state_.members);
  lanes_ = std::make_unique<LaneIntegrator>(*method_, settings);
}

void Cloud::advance(double end) {
  if (lanes_)
    advance_in_lanes(end);
  else
    advance_alone(end);
  time_ = end;
}

void Cloud::advance_in_lanes(double end) {
  std::vector<std::size_t> going;
  for (std::size_t m = 0; m < members(); ++m)
    if (alive_[m]) going.push_back(m);
  Flights flights{.time = time_,
                  .end = end,
                  .state = Columns(state_.size(), going.size()),
                  .constants = constants_,
                  .reached = {},
                  .steps = {},
                  .arrived = {}};
  for (std::size_t i = 0; i < state_.size(); ++i)
    for (std::size_t k = 0; k < going.size(); ++k) flights.state[i][k] = state_[i][going[k]];
  lanes_->run(flights);
  for (std::size_t k = 0; k < going.size(); ++k) {
    alive_[going[k]] = flights.arrived[k];
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i][going[k]] = flights.state[i][k];
  }
}

void Cloud::advance_alone(double end) {
  std::vector<double> y(state_.size());
  for (std::size_t m = 0; m < members(); ++m) {
    if (!alive_[m]) continue;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = state_[i][m];
    try {
      stepper_->start(time_, y);
      for (std::size_t steps = 0; stepper_->time() < end; ++steps) {
        if (steps == most_steps_between_frames) throw StepFailure(stepper_->time(), "it makes no progress");
        stepper_->step(end);
      }
    } catch (const StepFailure&) {
      alive_[m] = false;
    }
    for (std::size_t i = 0; i < y.size(); ++i) state_[i][m] = stepper_->state()[i];
  }
}

CloudView::CloudView(const Flow& flow, std::span<const Expr> functions)
    : code_(flow.observing(functions)), lanes_(code_), constants_(constants_at_parameters(code_, flow)) {}

Columns CloudView::operator()(const Cloud& cloud) {
  const Columns& state = cloud.state();
  Columns inputs(state.size() + 1, state.members);
  std::copy(state.numbers.begin(), state.numbers.end(), inputs.numbers.begin());
  std::fill_n(inputs[state.size()], state.members, cloud.time());
  return lanes_(inputs, constants_);
}

}  // namespace rattleback
