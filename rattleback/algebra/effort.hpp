#pragma once
/// What a result cost, for whoever remembers it.

#include <cstddef>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/algebra/exact_ring.hpp>

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

}  // namespace rattleback
