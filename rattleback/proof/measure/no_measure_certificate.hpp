#pragma once
/// Certificates that no density of the configuration is invariant.

#include <rattleback/proof/measure/measure_decision.hpp>

namespace rattleback {

/// The fields along which dσ is known, brackets of them, and a combination that vanishes while the rates do not (W.2); or the only
/// candidate for σ, which is not periodic. Null when the formulas are too long or take too much work.
Data no_measure_certificate(const System& system, const MeasureDecision& d);

}  // namespace rattleback
