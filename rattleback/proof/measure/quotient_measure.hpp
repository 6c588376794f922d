#pragma once
/// The question of an invariant measure after reduction: is there a density on D/G, G the symmetry group of the system?

#include <rattleback/proof/evidence/parameter_locus.hpp>
#include <rattleback/proof/measure/measure_decision.hpp>

namespace rattleback {

/// Adds the answer about D/G to the one about D. It has limits of its own: a quotient that takes too much work does not spoil the answer on D.
void add_measure_on_quotient(const System& system, const MeasureDecision& on_D,
                             const ParameterLocus& exceptions_on_D, Answer& a);

}  // namespace rattleback
