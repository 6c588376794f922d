#pragma once
/// Long computations called from Python: in a thread of their own, so that Ctrl-C, time limits and progress lines work meanwhile.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include <pybind11/pybind11.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/flint.hpp>

namespace rattleback::python {

namespace py = pybind11;

/// What a computation and the one who waits for it share.
class Task {
 public:
  std::atomic<bool> stop{false};  ///< for loops of numbers
  std::stop_source cancel;        ///< for symbolic work: see Budget
  std::function<void()> glance = [] {
  };  ///< to be called now and then where the caller computes itself: see run_here()

  void report(double fraction) { fraction_.store(fraction, std::memory_order_relaxed); }
  void report(const std::string& stage, double fraction) {
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    fraction_ = fraction;
  }
  double fraction() const { return fraction_.load(std::memory_order_relaxed); }
  std::string stage() {
    const std::lock_guard lock(mutex_);
    return stage_;
  }
  void ask_to_stop() {
    stop = true;
    cancel.request_stop();
  }

  void finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    done_.notify_all();
  }
  bool wait(std::chrono::milliseconds timeout) {
    std::unique_lock lock(mutex_);
    return done_.wait_for(lock, timeout, [&] { return finished_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool finished_ = false;
  std::atomic<double> fraction_{0};
  std::string stage_;
};

/// How the caller waits: `timeout` in seconds on the wall, nothing for none; `progress(fraction, stage)` or None.
struct Waiting {
  std::optional<double> timeout;
  py::object progress;
};

/// Waits with the GIL released. True when the task is done; false when it ran out of time, was asked to stop and has not ended
/// within a moment. Throws error_already_set for KeyboardInterrupt, and for what `progress` raises, after asking it to stop.
bool wait_for(Task& task, const Waiting& how, bool& timed_out);

/// Raised where a task ran out of its time.
[[noreturn]] void throw_timeout(double seconds);

/// What the calling thread does between the steps of its own computation, some times a second.
class Glances {
 public:
  Glances(Task& task, const Waiting& how);
  /// Without the GIL. Asks the task to stop when a signal's handler or `progress` raises, and when its time is over.
  void operator()();
  bool timed_out() const { return timed_out_; }
  /// With the GIL: what was raised meanwhile.
  void raise();

 private:
  using Clock = std::chrono::steady_clock;
  Task& task_;
  const Waiting& how_;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
  bool timed_out_ = false;
  std::exception_ptr raised_;
};

/// f(task) in the calling thread, with the GIL released: for computations that are expected to take a moment only, which a thread of their
/// own would make twice as long. f calls task.glance() now and then: signals, time limits and progress work there.
template <class F>
auto run_here(F f, const Waiting& how, bool* stopped_by_timeout) {
  Task task;
  Glances glances(task, how);
  task.glance = [&] { glances(); };
  std::exception_ptr failure;
  std::optional<decltype(f(task))> result;
  {
    const py::gil_scoped_release released;
    try {
      const Budget budget(
          {.nodes = std::numeric_limits<std::size_t>::max(), .cancel = task.cancel.get_token()});
      result.emplace(f(task));
    } catch (...) {
      failure = std::current_exception();
    }
  }
  glances.raise();
  if (glances.timed_out() && (stopped_by_timeout == nullptr || failure)) throw_timeout(*how.timeout);
  if (glances.timed_out()) *stopped_by_timeout = true;
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

/// Threads that compute. The process does not end beneath them: see let_workers_end().
class Worker {
 public:
  Worker() { ++alive(); }
  ~Worker() { --alive(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  static std::atomic<int>& alive();
};
/// When the interpreter ends: computations that were left alone get a moment. Where they do not end within it, the process ends without
/// taking away what they use. To be called by Python's atexit, before the destructors of static objects.
void let_workers_end();

/// f(task) in a thread of its own. `f` holds what it needs by value: a computation that does not listen within a moment is left alone
/// and ends by itself. Its result must not own Python objects. `stopped_by_timeout`, where given, is set instead of raising Timeout
/// when f still returned something.
template <class F>
auto run(F f, const Waiting& how, bool* stopped_by_timeout = nullptr) {
  using Result = decltype(f(std::declval<Task&>()));
  struct Shared {
    Task task;
    std::optional<Result> result;
    std::exception_ptr failure;
  };
  auto shared = std::make_shared<Shared>();
  auto worker = std::make_unique<Worker>();
  std::thread([worker = std::move(worker), shared, f = std::move(f)]() mutable {
    return_flint_memory_at_thread_end();
    try {
      const Budget budget(
          {.nodes = std::numeric_limits<std::size_t>::max(), .cancel = shared->task.cancel.get_token()});
      shared->result.emplace(f(shared->task));
    } catch (...) {
      shared->failure = std::current_exception();
    }
    shared->task.finish();
    shared.reset();
  }).detach();
  bool timed_out = false;
  if (!wait_for(shared->task, how, timed_out)) throw_timeout(*how.timeout);
  if (timed_out && (stopped_by_timeout == nullptr || shared->failure)) throw_timeout(*how.timeout);
  if (timed_out) *stopped_by_timeout = true;
  if (shared->failure) std::rethrow_exception(shared->failure);
  return std::move(*shared->result);
}

}  // namespace rattleback::python
