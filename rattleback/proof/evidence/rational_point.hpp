#pragma once
/// Functions at random points with rational values: what is left is a function of the parameters alone.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Every symbol that is not kept gets a small random rational, cos and sin of it the coordinates of a rational point of
/// the circle, exp a rational base; entries of rotation matrices come from a rational quaternion. What nothing is known
/// about, such as log x or an abstract function, gets a value of its own.
///
/// The assignment respects every relation between these functions, so a function that vanishes identically vanishes here,
/// for every value of the kept symbols. Throws Error[division-by-zero] at a pole.
std::vector<Expr> at_rational_point(std::span<const Expr> es, std::uint64_t seed,
                                    const std::function<bool(Symbol)>& kept);

/// Parameters kept: functions of them. Nothing when every state tried is a pole.
std::optional<std::vector<Expr>> at_random_state(std::span<const Expr> es, std::uint64_t seed);

}  // namespace rattleback
