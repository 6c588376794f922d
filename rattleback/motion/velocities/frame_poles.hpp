#pragma once
/// Poles of a frame of the admissible velocities: the configurations at which it is not defined, as stated conditions.

#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// Constraints may have poles, such as those of a disk that lies flat; their frame then has them too.
Assumptions poles_of(const Admissible& D);

}  // namespace rattleback
