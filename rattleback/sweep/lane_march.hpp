#pragma once
/// SIMD integration of many motions by Kutta's method with constant steps, compiled for one model.
///
/// The operations are those of the stepper of a single motion in the same order, so the numbers are the same to the last bit, and a
/// motion that cannot go on here is computed by itself.

#include <rattleback/native/object_code.hpp>
#include <rattleback/sweep/lane_integrator.hpp>

namespace rattleback {

namespace lanes {
/// Motions that advance together: two registers of each where their states leave room for it, which sixteen never do.
constexpr int march_group(Processor processor, std::size_t dimension) {
  const int one = 2 << static_cast<int>(processor);
  return processor == Processor::avx512 && dimension <= 6 ? 2 * one : one;
}
/// So many steps of length h from t, of a group whose states and constants stand in rows of `width` doubles. Returns the lanes in
/// which an angle was too large: there the states are wrong.
using March = int (*)(double* state, const double* constants, std::int64_t steps, double t, double h,
                      const void* functions);
}  // namespace lanes

/// LLVM's text of a March.
std::string march_module(const Code& rates, std::span<const std::uint32_t> quaternions, Processor processor);

/// What all threads of a sweep share.
class MarchMethod {
 public:
  MarchMethod(const Code& rates, std::vector<std::uint32_t> quaternions)
      : rates_(rates), fused_(fused(rates)), quaternions_(std::move(quaternions)) {}

  const Code& rates() const { return rates_; }
  /// The compiled steps, where they pay for so many of them, or null.
  lanes::March compiled_steps(double steps);

 private:
  Code rates_, fused_;
  std::vector<std::uint32_t> quaternions_;
  std::mutex compiling_;
  bool tried_ = false;
  std::shared_ptr<const ObjectCode> object_;
  lanes::March march_ = nullptr;
};

/// Each thread needs its own.
class LaneMarch {
 public:
  LaneMarch(MarchMethod& method, double step, const TimeIsUp& time_is_up = {})
      : method_(&method), step_(step), time_is_up_(time_is_up) {}
  /// Those that have not arrived keep their initial states, and must be computed one by one.
  void run(Flights& flights);

 private:
  int march_in_parts(lanes::March march, double* state, const double* constants, std::int64_t steps,
                     double t) const;

  MarchMethod* method_;
  double step_;
  TimeIsUp time_is_up_;
};

}  // namespace rattleback
