#pragma once
/// Steady motions that exclude invariant densities, those of the whole state included: the divergence of the motion is not zero there.

#include <optional>
#include <string>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// The refutation on D by a state of rest with a divergence, where the equations for a density of the configuration do not apply.   (M.11)
std::optional<Answer> no_measure_by_rest(const System& system);

/// Along a steady motion that stays in a compact set with a constant divergence Θ ≠ 0 every invariant density would be
/// ρ(t) = ρ(0) e^{−Θt}, which is not bounded by positive numbers from both sides: there is none on D. The reason in words.   (M.13)
std::optional<std::string> recurrent_divergence(const System& system);

/// At an equilibrium of the motion on D/G every smooth invariant density forces the divergence to vanish: the answer about D/G becomes
/// *refuted* where one is found at which it does not.                                                                        (M.11)
void refute_measure_on_quotient(const System& system, Answer& reduced);

}  // namespace rattleback
