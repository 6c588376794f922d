#pragma once
/// Parameters at which a measure exists although it does not in general.

#include <functional>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/proof/evidence/parameter_locus.hpp>
#include <rattleback/proof/measure/measure_decision.hpp>

namespace rattleback {

/// Existence on D or on D/G, for the system at special parameters, which are given as well.
using DecideMeasure = std::function<MeasureDecision(const System& special, const SymbolMap& values)>;

/// Functions that vanish all where the decision is another one: the conditions without unknowns, and what a turn adds.
std::vector<Expr> conditions_of(const MeasureDecision& d);

/// Where the violated conditions of `d` hold: taken apart exactly where that is quick, otherwise by trying.
ParameterLocus candidates_for_a_measure(const System& system, const MeasureDecision& d);

/// The parts of `candidates` on which a density does exist, also as `unless`, complete or not: what was decided when the
/// time is up stays decided.
ParameterLocus collect_exceptions(const System& system, const DecideMeasure& decide,
                                  const ParameterLocus& candidates, Answer& a);

}  // namespace rattleback
