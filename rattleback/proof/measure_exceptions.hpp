#pragma once
/// Parameters at which a measure exists although it does not in general.

#include <functional>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/proof/measure_decision.hpp>

namespace rattleback {

/// Existence on D or on D/G, for the system at special parameters, which are given as well.
using DecideMeasure = std::function<MeasureDecision(const System& special, const SymbolMap& values)>;

/// Adds to `unless` the components of the parameters on which the violated conditions of `d` hold and a density does exist.
/// A line of `why` says when there may be more, or when the time was up: what was decided stays decided.
void collect_exceptions(const System& system, const DecideMeasure& decide, const MeasureDecision& d,
                        Answer& a);

}  // namespace rattleback
