#pragma once
/// Common-subexpression search for rates with few operations, before they are evaluated a million times.

#include <rattleback/motion/programs/projected_motion.hpp>

namespace rattleback {

/// The motion of straight_line_equations, in the cheapest of these shapes: as built; with the metric and the forces shortened before the
/// accelerations are solved for; with each rate shortened where that saves operations. A rate is searched only as far as the
/// operations that it does not share with others are worth, and a shape not at all whose shared parts alone cost more than
/// another. Parts that formulas share are counted once, parts that depend on parameters only not at all (see operation_count). The
/// search stops after so many units of work (see Budget), never by the clock: the equations, and the numbers they give, are the
/// same on every machine and whatever was derived before.
EquationsOfMotion economical_motion(const System& system, std::size_t work = 10'000'000);

/// The same from what solved_motion takes.
EquationsOfMotion economical_motion(const System& system, const ProjectedMotion& motion,
                                    std::size_t work = 10'000'000);

/// The operations of q' and ż together.
std::size_t operations_of(const EquationsOfMotion& equations);

}  // namespace rattleback
