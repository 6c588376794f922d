#pragma once
/// The refutation "there is no steady motion": its answer, and the parameters of value 0 that it depends on.

#include <optional>

#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/steady/charted_motions.hpp>

namespace rattleback {

/// ", for parameters in general position" where the model contains any: lists are solved with symbols for them.
std::string in_general_position(const System& system);

/// Parameters that the model leaves out by the value 0, where there are steady motions without them.
std::optional<Locus> exception_at_zero(const System& system);

/// Refuted, with the parameters of value 0 that stand in the way. The charts are complete, cover and see no steady motion.
Answer no_steady_motion(const System& system, const ChartedMotions& none, Answer a);

}  // namespace rattleback
