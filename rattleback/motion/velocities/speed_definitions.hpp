#pragma once
/// Definitions of the speeds of a frame in terms of the velocities.

#include <cstdint>

#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// Programs seldom ask for the definitions, and then need not have them everywhere.
enum class Poles : std::uint8_t { allowed, avoided };

/// z from v = Ψ z + y: by its first rows that are independent, unless these have poles, which are avoided, and others have none.
std::vector<Expr> speed_definitions(const Admissible& D, const Space& space, Poles poles);

}  // namespace rattleback
