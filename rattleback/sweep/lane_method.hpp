#pragma once
/// The adaptive step of a SIMD batch, compiled for one model; shared by all threads of a sweep.

#include <atomic>
#include <mutex>

#include <rattleback/native/emit.hpp>
#include <rattleback/native/object_code.hpp>
#include <rattleback/sweep/lane_step.hpp>

namespace rattleback {

namespace lanes {
/// Lanes that a compiled step moves together: two registers where there are enough of them, so that the sums of one do not
/// wait for those of the other.
constexpr int group(Processor processor) { return processor == Processor::avx512 ? 16 : 8; }

/// Steps of one group after the other, so that one does not wait for what the other decides, from group `first` until a lane
/// has arrived or failed, or `stop` is set: returns the group, times 2^16, and those lanes as bits; or −1 where an angle is too large for
/// compiled code: then nothing of that step has happened. `rows` and `constants` have the layout of a batch.
using Advance = int (*)(double* rows, const double* constants, std::int64_t first, double rtol, double atol,
                        const void* functions, const std::atomic<bool>* stop);
}  // namespace lanes

/// int rates(inputs, constants, outputs, functions) for a group, returning the lanes with large angles: for code too long to be
/// written out at every stage, or not local, by itself.
void write_rates(ir::Writer& to, const Code& code, std::size_t group, bool is_local = true);

/// LLVM's text of an Advance.
std::string lane_module(const Code& rates, std::span<const std::uint32_t> quaternions, Processor processor);

/// The Butcher tableau in the layout of the batches.
struct LaneTableau {
  LaneTableau();
  LaneTableau(const LaneTableau&) = delete;
  LaneTableau& operator=(const LaneTableau&) = delete;
  lanes::Weights a[lanes::stages + 1], e5, e3;
  std::vector<double> c;

 private:
  std::vector<std::vector<lanes::Weight>> kept_;
};
const LaneTableau& lane_tableau();

/// Compiles when it pays: at once for a large ensemble, after some work for a small one.
class LaneMethod {
 public:
  LaneMethod(const Code& rates, std::vector<std::uint32_t> quaternions, std::size_t members);

  const Code& rates() const { return rates_; }  ///< fused
  const std::vector<std::uint32_t>& quaternions() const { return quaternions_; }
  /// After so many steps of batches by the interpreter: the compiled step, or null.
  lanes::Advance compiled_step(std::size_t interpreted);

 private:
  Code rates_;
  std::vector<std::uint32_t> quaternions_;
  std::size_t steps_before_compiling_;
  std::atomic<std::size_t> interpreted_{0};
  std::atomic<lanes::Advance> advance_{nullptr};
  std::atomic<bool> tried_{false};
  std::mutex compiling_;
  std::shared_ptr<const ObjectCode> object_;
};

}  // namespace rattleback
