#include <rattleback/sweep/lane_rates.hpp>

#include <algorithm>

#include <rattleback/native/code_sizes.hpp>
#include <rattleback/native/compiler.hpp>
#include <rattleback/native/fused.hpp>
#include <rattleback/sweep/lane_method.hpp>

namespace rattleback {
LaneRates::LaneRates(const Code& code) : code_(code), fused_(fused(code)) {}

LaneRates::Rates LaneRates::compiled_for(std::size_t count) {
  const NativeMode mode = native_mode();
  if (mode == NativeMode::off) return nullptr;
  if (const Rates known = rates_.load(std::memory_order_acquire)) return known;
  const std::size_t all = done_ += count;
  if (fused_.body.size() > code_sizes::compiled_rates.count ||
      (mode == NativeMode::automatic && all < code_sizes::before_compiling_lanes.count))
    return nullptr;
  const std::lock_guard lock(compiling_);
  if (tried_) return rates_;
  tried_ = true;
  const Processor processor = this_processor();
  ir::Writer to(processor, lanes::group(processor));
  write_rates(to, fused_, static_cast<std::size_t>(lanes::group(processor)), false);
  object_ = compiled(to.text());
  if (object_) rates_.store(reinterpret_cast<Rates>(object_->function("rates")), std::memory_order_release);
  return rates_;
}

void LaneRates::operator()(const double* times, bool one_time, const double* states, std::size_t count,
                           std::span<const double> constants, double* out) {
  const Rates rates = compiled_for(count);
  if (rates == nullptr) return interpret(times, one_time, states, 0, count, count, constants, out);
  const auto group = static_cast<std::size_t>(lanes::group(this_processor()));
  const std::size_t n = dimension(), m = outputs();
  LaneRows inputs(n + 1), same(constants.size()),
      results(m);  // rows are longer than a group: alignment is theirs
  for (std::size_t c = 0; c < constants.size(); ++c) std::fill_n(same[c], lanes::width, constants[c]);
  double *x = inputs[0], *y = results[0];
  if (one_time) std::fill_n(x + n * group, group, *times);
  for (std::size_t first = 0; first < count; first += group) {
    const std::size_t some = std::min(group, count - first);
    // Lanes without a state repeat the last one.
    const auto fill = [&](const double* from, double* to) {
      std::copy_n(from, some, to);
      std::fill(to + some, to + group, from[some - 1]);
    };
    for (std::size_t i = 0; i < n; ++i) fill(states + i * count + first, x + i * group);
    if (!one_time) fill(times + first, x + n * group);
    if (rates(x, same[0], y, library_functions()) != 0) {
      interpret(times, one_time, states, first, some, count, constants, out);
      continue;
    }
    for (std::size_t i = 0; i < m; ++i) std::copy_n(y + i * group, some, out + i * count + first);
  }
}

void LaneRates::interpret(const double* times, bool one_time, const double* states, std::size_t first,
                          std::size_t count, std::size_t stride, std::span<const double> constants,
                          double* out) {
  LaneCode code(code_);
  Columns fixed(constants.size(), 1);
  std::copy(constants.begin(), constants.end(), fixed.numbers.begin());
  constexpr std::size_t block = 1024;  // at a time, so that they stay in the cache
  for (std::size_t at = 0; at < count; at += block) {
    const std::size_t some = std::min(block, count - at);
    Columns inputs(dimension() + 1, some);
    for (std::size_t i = 0; i < dimension(); ++i)
      std::copy_n(states + i * stride + first + at, some, inputs[i]);
    if (one_time) {
      std::fill_n(inputs[dimension()], some, *times);
    } else {
      std::copy_n(times + first + at, some, inputs[dimension()]);
    }
    const Columns result = code(inputs, fixed);
    for (std::size_t i = 0; i < outputs(); ++i) std::copy_n(result[i], some, out + i * stride + first + at);
  }
}

}  // namespace rattleback
