#include <rattleback/algebra/arithmetic/budget.hpp>

#include <algorithm>
#include <ctime>

#include <rattleback/algebra/arithmetic/recursion.hpp>

namespace rattleback {
namespace {

thread_local Budget* innermost = nullptr;

/// Counted limits of this budget and those around it are suspended: see UnchargedScope.
thread_local const Budget* barrier = nullptr;

/// Asking for a thread's time is slow; but it passes no faster than that on the
/// wall. Before this moment no deadline is over.
thread_local std::chrono::steady_clock::time_point not_before;

constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

/// The nodes that this thread has asked for, and the last one that its
/// innermost budget allows.
thread_local std::size_t steps_taken = 0, last_step = unlimited;

/// Exact work of this thread so far.
thread_local std::size_t work_done = 0;

/// A program with sanitizers is to answer the same questions.
#ifdef __SANITIZE_ADDRESS__
constexpr int slowness = 10;
#else
constexpr int slowness = 1;
#endif

}  // namespace

ProcessorTime::time_point ProcessorTime::now() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return time_point((std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec)) / slowness);
}

Budget::Budget(Limits limits)
    : nodes_left_(limits.nodes),
      terms_(limits.terms),
      work_left_(limits.work),
      last_step_(limits.steps < unlimited - steps_taken ? steps_taken + limits.steps : unlimited),
      cancel_(std::move(limits.cancel)),
      outer_(innermost) {
  thread_local std::size_t scopes = 0;
  counted_scope_ = last_step_ < unlimited ? ++scopes : outer_ != nullptr ? outer_->counted_scope_ : 0;
  if (limits.time)
    deadline_ = ProcessorTime::now() + std::chrono::duration_cast<ProcessorTime::duration>(*limits.time);
  if (outer_ != nullptr && outer_->deadline_)
    deadline_ = deadline_ ? std::min(*deadline_, *outer_->deadline_) : outer_->deadline_;
  if (outer_ != nullptr && outer_ != barrier) {
    nodes_left_ = std::min(nodes_left_, outer_->nodes_left_);
    terms_ = std::min(terms_, outer_->terms_);
    last_step_ = std::min(last_step_, outer_->last_step_);
  }
  innermost = this;
  last_step = last_step_;
  not_before = {};
}

Budget::~Budget() {
  innermost = outer_;
  last_step = outer_ != nullptr && outer_ != barrier ? outer_->last_step_ : unlimited;
  not_before = {};
}

namespace {

[[noreturn]] void too_large() { throw Exhausted("the limit on the size of expressions was reached"); }

}  // namespace

void Budget::check() {
  allow_recursion();
  const Budget* budget = innermost;
  if (budget == nullptr) return;
  if (out_of_steps()) too_large();
  if (budget->deadline_) {
    if (const auto wall = std::chrono::steady_clock::now(); wall >= not_before) {
      const ProcessorTime::duration left = *budget->deadline_ - ProcessorTime::now();
      if (left < ProcessorTime::duration::zero()) throw Exhausted("the time limit was reached");
      not_before = wall + left;
    }
  }
  for (; budget != nullptr; budget = budget->outer_) {
    if (budget->cancel_.stop_requested()) throw Exhausted("the computation was cancelled");
  }
}

void Budget::charge_nodes(std::size_t count) {
  for (Budget* budget = innermost; budget != nullptr && budget != barrier; budget = budget->outer_) {
    if (budget->nodes_left_ < count) too_large();
    budget->nodes_left_ -= count;
  }
  check();
}

void Budget::charge_steps(std::size_t count) {
  allow_recursion();
  steps_taken += count;
  if (out_of_steps()) too_large();
}

void Budget::charge_work(std::size_t units) {
  std::size_t allowed = units;
  for (const Budget* b = innermost; b != nullptr && b != barrier; b = b->outer_)
    allowed = std::min(allowed, b->work_left_);
  for (Budget* b = innermost; b != nullptr && b != barrier; b = b->outer_) {
    if (b->work_left_ < unlimited) b->work_left_ -= allowed;
  }
  work_done += allowed;
  if (allowed < units) throw Exhausted("the limit on exact work was reached");
}

bool Budget::out_of_work() {
  for (const Budget* b = innermost; b != nullptr && b != barrier; b = b->outer_) {
    if (b->work_left_ == 0) return true;
  }
  return false;
}

std::size_t Budget::work() { return work_done; }

bool Budget::out_of_steps() { return steps_taken > last_step; }

std::size_t Budget::steps() { return steps_taken; }

std::size_t Budget::counted_scope() { return innermost != nullptr ? innermost->counted_scope_ : 0; }

std::size_t Budget::max_terms() {
  return innermost != nullptr && innermost != barrier ? innermost->terms_ : Limits{}.terms;
}

UnchargedScope::UnchargedScope()
    : barrier_(barrier), steps_(steps_taken), last_step_(last_step), work_(work_done) {
  barrier = innermost;
  last_step = unlimited;
}

UnchargedScope::~UnchargedScope() {
  barrier = barrier_;
  steps_taken = steps_;
  last_step = last_step_;
  work_done = work_;
}

}  // namespace rattleback
