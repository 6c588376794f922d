#pragma once
/// Exact zero test of several expressions in one common field.

#include <span>

#include <rattleback/algebra/fields/exact.hpp>

namespace rattleback {

/// `zero` when all of them vanish, `nonzero` when one certainly does not. What they share is evaluated once.
ExactZero exact_zeros(std::span<const Expr> es);

}  // namespace rattleback
