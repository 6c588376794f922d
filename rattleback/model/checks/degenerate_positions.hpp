#pragma once
/// Position constraints whose slopes do not determine the directions of N = {φ = 0}: (y - x^2)^2 = 0, or a sphere and a plane that
/// touches it. N is smaller there than the kernel of dφ, and with it every statement about motions on N would be about another space.

#include <optional>
#include <string>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// A configuration "x = 0, y = 0" on N at which N is smaller than the kernel of dφ, where all that Newton's method finds are such, at the
/// model's parameter values; nothing where it finds another, or too few.
std::optional<std::string> degenerate_position(const System& system);

}  // namespace rattleback
