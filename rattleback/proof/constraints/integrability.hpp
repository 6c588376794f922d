#pragma once
/// Are the constraints holonomic, and what can be reached along them?

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// Proved: every constraint is the rate of a function after multiplication with integrating factors (Frobenius, on the
/// whole system). Refuted: brackets of admissible fields leave D. Answer {holonomic, growth_vector, derived_flag,
/// bracket_generating, holonomic_dimension, integrals, special}: `special` lists places where the growth vector differs.
Answer integrability_answer(const System& system);

}  // namespace rattleback
