#pragma once
/// What a result cost, for whoever remembers it.

#include <cstddef>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// Who remembers a result pays what finding it took, each time: what is left of a limit must not depend on what was asked
/// before.
struct Effort {
  std::size_t work = 0, steps = 0;

  static Effort so_far() { return {WorkLimit::spent(), Budget::steps()}; }
  Effort since(const Effort& before) const { return {work - before.work, steps - before.steps}; }
  /// Throws Exhausted where a limit does not allow it.
  void charge() const {
    WorkLimit::charge(work);
    Budget::charge_steps(steps);
  }
};

/// A scope that ends by counting, never by the clock: what is found in it is the same on every machine and under every load.
class CountedScope {
 public:
  struct Limits {
    std::size_t steps;  ///< graph nodes asked for
    std::size_t work;   ///< products of two terms, in exact fields
    std::size_t terms = 20'000;
  };
  explicit CountedScope(Limits most)
      : budget_({.steps = most.steps, .terms = most.terms}), work_(most.work) {}

 private:
  Budget budget_;
  WorkLimit work_;
};

}  // namespace rattleback
