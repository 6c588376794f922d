#pragma once
/// The time limit of a sweep as its workers see it: a flag that another thread or a signal sets, looked at between steps.

#include <atomic>
#include <exception>

namespace rattleback {

/// Thrown by a worker whose block is given up, because the time of the sweep is over.
class TimeOfSweepIsOver : public std::exception {
 public:
  const char* what() const noexcept override { return "the time limit of the sweep was reached"; }
};

class TimeIsUp {
 public:
  /// The flag outlives it; null: there is no limit.
  TimeIsUp(const std::atomic<bool>* flag = nullptr)
      : flag_(flag != nullptr ? flag : &never) {}  // NOLINT: a flag is one

  bool is_over() const { return flag_->load(std::memory_order_relaxed); }
  void require_time() const {
    if (is_over()) throw TimeOfSweepIsOver();
  }
  /// One byte, for compiled code.
  const std::atomic<bool>* flag() const { return flag_; }

 private:
  static inline const std::atomic<bool> never{false};
  static_assert(sizeof(std::atomic<bool>) == 1);
  const std::atomic<bool>* flag_;
};

}  // namespace rattleback
