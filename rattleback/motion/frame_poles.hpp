#pragma once
/// Where a frame of the admissible velocities is not defined.

#include <rattleback/motion/admissible.hpp>

namespace rattleback {

/// Constraints may have poles, such as those of a disk that lies flat; their frame then has them too.
Assumptions poles_of(const Admissible& D);

}  // namespace rattleback
