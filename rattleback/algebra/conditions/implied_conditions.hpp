#pragma once
/// Drops conditions that follow from other stated conditions.

#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// Without those that hold wherever another one does, x² + y² ≠ 0 beside x ≠ 0; of two that say the same the shorter stays.
Assumptions without_implied(const Assumptions& where);

}  // namespace rattleback
