#include <rattleback/sweep/lane_integrator.hpp>

#include <algorithm>
#include <bit>
#include <limits>

namespace rattleback {
namespace {

constexpr std::size_t no_member = std::numeric_limits<std::size_t>::max();

}  // namespace

LaneIntegrator::LaneIntegrator(LaneMethod& method, const StepperSettings& settings,
                               const TimeIsUp& time_is_up)
    : method_(&method),
      settings_(settings),
      time_is_up_(time_is_up),
      n_(method.rates().outputs.size()),
      rates_(method.rates()),
      rows_(lanes::at::state + (lanes::stages + 2) * n_),
      y_new_(n_),
      batch_{.rates = rates_.program(),
             .quaternions = method.quaternions().data(),
             .dimension = static_cast<std::uint32_t>(n_),
             .quaternion_count = static_cast<std::uint32_t>(method.quaternions().size()),
             .c = lane_tableau().c.data(),
             .e5 = lane_tableau().e5,
             .e3 = lane_tableau().e3,
             .rtol = settings.rtol,
             .atol = settings.atol,
             .rows = rows_[0],
             .y_new = y_new_[0]},
      member_(lanes::width, no_member) {
  std::copy(std::begin(lane_tableau().a), std::end(lane_tableau().a), batch_.a);
}

/// Rates and first steps of all, a batch at a time.
void LaneIntegrator::begin(Flights& flights) {
  const std::size_t count = flights.state.members;
  first_rate_ = Columns(n_, count);
  first_step_.resize(count);
  const bool same = flights.constants.members == 1;
  for (std::size_t c = 0; same && c < flights.constants.size(); ++c)
    std::fill_n(rates_.constant(c), lanes::width, flights.constants[c][0]);
  std::fill_n(rows_[lanes::at::time], lanes::width, flights.time);
  std::fill_n(rows_[lanes::at::end], lanes::width, flights.end);
  for (std::size_t first = 0; first < count; first += lanes::width) {
    const std::size_t now = std::min<std::size_t>(lanes::width, count - first);
    for (std::size_t i = 0; i < n_; ++i)
      std::copy_n(flights.state[i] + first, now, rows_[lanes::at::state + i]);
    for (std::size_t c = 0; !same && c < flights.constants.size(); ++c)
      std::copy_n(flights.constants[c] + first, now, rates_.constant(c));
    lane_functions().begin(batch_);
    for (std::size_t i = 0; i < n_; ++i) std::copy_n(rows_[batch_.stage(0) + i], now, first_rate_[i] + first);
    std::copy_n(rows_[lanes::at::step], now, first_step_.data() + first);
  }
  if (settings_.step > 0)
    std::fill(first_step_.begin(), first_step_.end(), std::min(settings_.step, flights.end - flights.time));
}

void LaneIntegrator::fill(int lane, const Flights& flights, std::size_t member) {
  const auto set = [&](std::size_t row, double x) { rows_[row][lane] = x; };
  for (std::size_t i = 0; i < n_; ++i) {
    set(lanes::at::state + i, flights.state[i][member]);
    set(lanes::at::state + n_ + i, first_rate_[i][member]);
  }
  for (std::size_t c = 0; flights.constants.members > 1 && c < flights.constants.size(); ++c)
    rates_.constant(c)[lane] = flights.constants[c][member];
  set(lanes::at::time, flights.time);
  set(lanes::at::end, flights.end);
  set(lanes::at::step, first_step_[member]);
  set(lanes::at::rejected, 0);
  set(lanes::at::steps, 0);
  set(lanes::at::active, 1);
  member_[static_cast<std::size_t>(lane)] = member;
  ++flying_;
}

void LaneIntegrator::land(int lane, Flights& flights) {
  const std::size_t member = member_[static_cast<std::size_t>(lane)];
  for (std::size_t i = 0; i < n_; ++i) flights.state[i][member] = rows_[lanes::at::state + i][lane];
  flights.reached[member] = rows_[lanes::at::time][lane];
  flights.steps[member] = rows_[lanes::at::steps][lane];
  flights.arrived[member] = rows_[lanes::at::done][lane] != 0;
  member_[static_cast<std::size_t>(lane)] = no_member;
  // An empty lane rests: its steps have length zero.
  rows_[lanes::at::end][lane] = rows_[lanes::at::time][lane];
  rows_[lanes::at::active][lane] = 0;
  --flying_;
}

void LaneIntegrator::exchange(int first, unsigned lanes, Flights& flights) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = first + std::countr_zero(lanes);
    land(lane, flights);
    if (next_ < flights.state.members) fill(lane, flights, next_++);
  }
}

void LaneIntegrator::interpret(Flights& flights) {
  lane_functions().advance(batch_);
  for (int lane = 0; lane < lanes::width; ++lane) {
    const bool landed = rows_[lanes::at::done][lane] != 0 || rows_[lanes::at::failed][lane] != 0;
    if (landed && member_[static_cast<std::size_t>(lane)] != no_member) exchange(lane, 1, flights);
  }
}

void LaneIntegrator::run(Flights& flights) {
  const std::size_t count = flights.state.members;
  flights.reached.assign(count, flights.time);
  flights.steps.assign(count, 0);
  flights.arrived.assign(count, false);
  if (count == 0) return;
  begin(flights);
  std::fill_n(rows_[lanes::at::active], lanes::width, 0.0);
  std::fill_n(rows_[lanes::at::end], lanes::width, flights.time);
  next_ = flying_ = 0;
  for (int lane = 0; lane < lanes::width && next_ < count; ++lane) fill(lane, flights, next_++);
  std::int64_t first = 0;
  lanes::Advance advance = method_->compiled_step(0);
  const int group = lanes::group(this_processor());
  while (flying_ > 0) {
    time_is_up_.require_time();
    if (advance == nullptr) {
      interpret(flights);
      advance = method_->compiled_step(1);
      continue;
    }
    const int landed = advance(rows_[0], rates_.constant(0), first, settings_.rtol, settings_.atol,
                               library_functions(), time_is_up_.flag());
    if (landed < 0) {
      interpret(flights);
    } else {
      exchange((landed >> 16) * group, static_cast<unsigned>(landed & 0xffff), flights);
      first = (landed >> 16) + 1 < lanes::width / group ? (landed >> 16) + 1 : 0;
    }
  }
}

}  // namespace rattleback
