#include <rattleback/sweep/lane_work.hpp>

#include <cmath>

#include <rattleback/native/evaluator.hpp>

namespace rattleback {
namespace {

/// One variable after the other, from one member after the other.
Columns in_columns(std::span<const double> rows, std::size_t columns) {
  Columns result(columns, columns == 0 ? 0 : rows.size() / columns);
  for (std::size_t m = 0; m < result.members; ++m)
    for (std::size_t c = 0; c < columns; ++c) result[c][m] = rows[m * columns + c];
  return result;
}

Columns with_time(const Columns& state, std::span<const double> time) {
  Columns both(state.size() + 1, state.members);
  std::copy(state.numbers.begin(), state.numbers.end(), both.numbers.begin());
  std::copy(time.begin(), time.end(), both[state.size()]);
  return both;
}

}  // namespace

Columns LaneConstants::operator()(const Columns& parameters) const {
  const std::size_t members = parameters.numbers.empty() ? 1 : parameters.members;
  Columns all(code_.constants.size(), members);
  std::vector<double> values(parameters.size());
  for (std::size_t m = 0; m < members; ++m) {
    for (std::size_t p = 0; p < values.size(); ++p) values[p] = parameters[p][m];
    const std::vector<double> constants = constants_of<double>(code_, values);
    for (std::size_t c = 0; c < constants.size(); ++c) all[c][m] = constants[c];
  }
  return all;
}

LaneWork::LaneWork(std::function<void(Flights&)> integrate, const Code& rates, const Code& parameters,
                   const Code& energy)
    : integrate_(std::move(integrate)),
      dimension_(rates.outputs.size()),
      varied_(parameters.parameters),
      parameters_(parameters),
      rates_(rates),
      energy_code_(energy),
      energy_(energy) {}

LaneWork::Results LaneWork::run(std::span<const double> states, std::span<const double> varied,
                                double until) {
  if (varied_ > 0 || !is_set_) {
    const Columns parameters = parameters_(in_columns(varied, varied_));
    rate_constants_ = rates_(parameters);
    energy_constants_ = energy_(parameters);
    is_set_ = true;
  }
  Flights flights{
      .time = 0, .end = until, .state = in_columns(states, dimension_), .constants = rate_constants_};
  const Columns before = energy(flights.state, std::vector<double>(flights.state.members, 0.0));
  integrate_(flights);
  const Columns after = energy(flights.state, flights.reached);
  Results results{std::move(flights), std::vector<double>(before.members)};
  for (std::size_t m = 0; m < before.members; ++m)
    results.energy_change[m] = (after[0][m] - before[0][m]) / std::max(std::abs(before[0][m]), 1e-300);
  return results;
}

Columns LaneWork::energy(const Columns& state, std::span<const double> time) {
  return energy_code_(with_time(state, time), energy_constants_);
}

}  // namespace rattleback
