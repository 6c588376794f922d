#include <rattleback/algebra/budget.hpp>

#include <algorithm>

namespace rattleback {
namespace {

thread_local Budget* innermost = nullptr;

}  // namespace

Budget::Budget(Limits limits)
    : nodes_left_(limits.nodes), terms_(limits.terms), cancel_(std::move(limits.cancel)), outer_(innermost) {
  if (limits.time) deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*limits.time);
  if (outer_ != nullptr) {
    if (outer_->deadline_)
      deadline_ = deadline_ ? std::min(*deadline_, *outer_->deadline_) : outer_->deadline_;
    nodes_left_ = std::min(nodes_left_, outer_->nodes_left_);
    terms_ = std::min(terms_, outer_->terms_);
  }
  innermost = this;
}

Budget::~Budget() { innermost = outer_; }

void Budget::check() {
  const Budget* budget = innermost;
  if (budget == nullptr) return;
  if (budget->deadline_ && Clock::now() > *budget->deadline_) throw Exhausted("the time limit was reached");
  for (; budget != nullptr; budget = budget->outer_) {
    if (budget->cancel_.stop_requested()) throw Exhausted("the computation was cancelled");
  }
}

void Budget::charge_nodes(std::size_t count) {
  for (Budget* budget = innermost; budget != nullptr; budget = budget->outer_) {
    if (budget->nodes_left_ < count) throw Exhausted("the limit on the size of expressions was reached");
    budget->nodes_left_ -= count;
  }
  check();
}

std::size_t Budget::max_terms() { return innermost != nullptr ? innermost->terms_ : Limits{}.terms; }

}  // namespace rattleback
