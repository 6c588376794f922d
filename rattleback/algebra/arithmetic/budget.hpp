#pragma once
/// Limits on a computation: one scope object for time, memory and counted work.
///
/// A question opens a Budget; the algebra charges it. Counted limits (steps, work, terms) are the same on every machine and are
/// used for everything that must be reproducible; time is for `--timeout` alone. The amounts stand in work_limits.hpp.

#include <chrono>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>

namespace rattleback {

/// Thrown when a budget runs out; the question that set the budget answers `Undecided` with this obstacle.
class Exhausted : public std::exception {
 public:
  explicit Exhausted(std::string limit) : limit_(std::move(limit)) {}
  const char* what() const noexcept override { return limit_.c_str(); }

 private:
  std::string limit_;
};

/// CPU time of this thread: an answer must not depend on the load of the machine.
struct ProcessorTime {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ProcessorTime>;
  static constexpr bool is_steady = true;
  static time_point now();
};

struct Limits {
  std::optional<std::chrono::duration<double>> time;  ///< of computing
  std::size_t nodes = 50'000'000;                     ///< new graph nodes built within the scope: memory
  /// Graph nodes asked for within the scope, there already or not: work, the same whatever was computed before.
  std::size_t steps = std::numeric_limits<std::size_t>::max();
  /// Products of two terms in exact fields, some ten nanoseconds each.
  std::size_t work = std::numeric_limits<std::size_t>::max();
  std::size_t terms = 200'000;  ///< terms of one exact polynomial
  std::stop_token cancel;
};

/// Counted limits alone, as work_limits.hpp lists them.
struct WorkLimits {
  std::size_t steps = std::numeric_limits<std::size_t>::max();
  std::size_t work = std::numeric_limits<std::size_t>::max();
  std::size_t terms = 200'000;

  operator Limits() const {  // NOLINT: they are limits, the others at their defaults
    return Limits{.steps = steps, .work = work, .terms = terms};
  }
};

/// The innermost budget of this thread, active while the object lives. Budgets nest: an inner one can only
/// tighten what the outer one allows.
class Budget {
 public:
  explicit Budget(Limits limits);
  ~Budget();
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Throws Exhausted when time is up or the work was cancelled. Cheap enough for inner loops.
  static void check();
  /// Counts new graph nodes against every budget of this thread.
  static void charge_nodes(std::size_t count);
  /// Counts nodes that were asked for, new or not. A cache charges the steps of a result again on every hit.
  static void charge_steps(std::size_t count);
  static bool out_of_steps();
  /// Steps of this thread so far.
  static std::size_t steps();
  /// Counts exact work. Throws Exhausted when this or an outer budget allows less; what was left is then spent.
  static void charge_work(std::size_t units);
  /// Has one of the budgets of this thread no work left?
  static bool out_of_work();
  /// All exact work that was ever charged in this thread.
  static std::size_t work();
  /// The innermost scope with a limit on steps, 0 when there is none: what is remembered without its steps must be found
  /// anew in each of them.
  static std::size_t counted_scope();
  /// The largest exact polynomial that the innermost budget allows.
  static std::size_t max_terms();

 private:
  std::optional<ProcessorTime::time_point> deadline_;
  std::size_t nodes_left_, terms_, work_left_;
  std::size_t last_step_;      ///< of this thread that is allowed
  std::size_t counted_scope_;  ///< 0: none
  std::stop_token cancel_;
  Budget* outer_;
  friend class UnchargedScope;
};

/// Work within this scope is charged to no budget that was opened before it, and leaves no trace in the counters: for what is computed once
/// for the process and remembered, so that the first question does not pay for the later ones. Time limits and cancellation still hold.
class UnchargedScope {
 public:
  UnchargedScope();
  ~UnchargedScope();
  UnchargedScope(const UnchargedScope&) = delete;
  UnchargedScope& operator=(const UnchargedScope&) = delete;

 private:
  const Budget* barrier_;
  std::size_t steps_, last_step_, work_;
};

/// The cost of a memoised result, charged again on every cache hit, so that what a limit allows does not depend on the order of
/// questions.
struct Spent {
  std::size_t work = 0, steps = 0;

  static Spent so_far() { return {Budget::work(), Budget::steps()}; }
  Spent since(const Spent& before) const { return {work - before.work, steps - before.steps}; }
  /// Throws Exhausted where a limit does not allow it.
  void charge() const {
    Budget::charge_work(work);
    Budget::charge_steps(steps);
  }
};

}  // namespace rattleback
