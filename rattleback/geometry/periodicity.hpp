#pragma once
/// Functions on circles: is a formula in an angle periodic, so that it is a function on the circle?

#include <optional>

#include <rattleback/geometry/space.hpp>

namespace rattleback {

/// The first angle, of a circle or of SE(2), in which f is not 2π-periodic: f then has several values at one configuration.
std::optional<Symbol> angle_of_several_values(const Space& space, Expr f);

}  // namespace rattleback
