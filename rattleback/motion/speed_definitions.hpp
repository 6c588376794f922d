#pragma once
/// What the speeds of a frame are, in terms of the velocities.

#include <rattleback/motion/admissible.hpp>

namespace rattleback {

/// z from v = Ψ z + y: by its first rows that are independent, unless these have poles and others have none.
std::vector<Expr> speed_definitions(const Admissible& D, const Space& space);

}  // namespace rattleback
