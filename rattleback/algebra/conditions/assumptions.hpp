#pragma once
/// Stated conditions `f != 0`, `f > 0`: simplified, merged and sorted for printing.

#include <span>

#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// The same conditions in short forms: products split into their factors, factors that cannot vanish left out, each
/// condition once.
Assumptions simplified(const Assumptions& where);

/// Where the formulas as written are defined: what they divide by does not vanish. Simplified.
Assumptions denominators(std::span<const Expr> formulas);

}  // namespace rattleback
