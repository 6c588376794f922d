#pragma once
/// Common zeros of several functions as a short list of equations that hold together.

#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Conditions with the same real solutions as e = 0 for all e, none of them implied by another where that is cheaply seen:
/// (l sin θ, l cos θ, l² sin α) becomes (l). Nothing when the e cannot vanish together: (sin θ, cos θ).
std::optional<std::vector<Expr>> common_zeros(std::span<const Expr> es);

}  // namespace rattleback
