#pragma once
/// What to answer when the equations (O.10) are solved and no state satisfies them.

#include <optional>

#include <rattleback/motion/solved_velocities.hpp>
#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {

/// Refuted, where the speeds are regular wherever there are equations of motion, or other speeds cover the rest (speed_charts.hpp);
/// with the parameters of value 0 that stand in the way. `found` is complete and empty.
Answer no_steady_motion(const System& system, const SolvedVelocities& v, Answer a,
                        const SteadyMotions& found);

/// The answer with speeds of speed_charts.hpp that see a steady motion, if any do.
std::optional<Answer> with_other_speeds(const System& system);

}  // namespace rattleback
