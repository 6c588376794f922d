#pragma once
/// Right-hand sides of many states at once in SIMD lanes, compiled for one model where that pays.

#include <atomic>
#include <memory>
#include <mutex>

#include <rattleback/native/object_code.hpp>
#include <rattleback/sweep/lane_code.hpp>

namespace rattleback {

/// What all threads share.
class LaneRates {
 public:
  /// The code's inputs are the state, then time.
  explicit LaneRates(const Code& code);

  std::size_t dimension() const { return fused_.inputs - 1; }
  std::size_t outputs() const { return fused_.outputs.size(); }

  /// Outputs of `count` states. States and outputs stand variable by variable, in rows of `count` numbers; `times` holds one time
  /// for all (`one_time`) or one for each. The same bits as one state after the other. For any thread.
  void operator()(const double* times, bool one_time, const double* states, std::size_t count,
                  std::span<const double> constants, double* out);

 private:
  /// int rates(inputs, constants, outputs, functions) for a group of states: the lanes with angles too large for compiled code.
  using Rates = int (*)(const double* inputs, const double* constants, double* outputs,
                        const void* functions);
  Rates compiled_for(std::size_t count);
  void interpret(const double* times, bool one_time, const double* states, std::size_t first,
                 std::size_t count, std::size_t stride, std::span<const double> constants, double* out);

  Code code_, fused_;
  std::atomic<std::size_t> done_{0};
  std::atomic<Rates> rates_{nullptr};
  std::mutex compiling_;
  bool tried_ = false;
  std::shared_ptr<const ObjectCode> object_;
};

}  // namespace rattleback
