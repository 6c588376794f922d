#pragma once
/// Parameters at which the answer to a question is the other one: what `unless` lists, for every question alike.
///
/// Candidates are the components on which something vanishes that the proof took for nonzero (parameter_candidates.hpp). On each of
/// them the question is asked again, with the equations of the component solved and put into the model; where the outcome is the
/// other one, it is asked once more at a point with exact numbers on the component and at one beside it. Components on which the
/// outcome stays are cut further by what was found nonzero there.

#include <chrono>
#include <functional>
#include <optional>
#include <span>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/evidence/dependence.hpp>

namespace rattleback {

using Decide = std::function<Answer(const System&)>;

/// Sets `unless` of a decided answer, and whether it is complete. `dependence`: what the question stated; `nonzero`: what the decision
/// found nonzero; `spent`: what it took, a measure for how long one asks again. Work is counted, so the result does not depend on the
/// machine, unless `time` ends the search: what was found until then is set, and not complete.
void add_exceptions(const System& system, const Decide& decide, const Dependence& dependence,
                    std::span<const Expr> nonzero, const Spent& spent, Answer& answer,
                    std::optional<std::chrono::duration<double>> time = {});

/// At all parameters that `unless` does not list the outcome is this one: answer["locus"]["complete"].
bool locus_is_complete(const Answer& answer);
/// Why `unless` may miss parameters: answer["locus"]["open"].
std::string locus_gap(const Answer& answer);
void set_locus(Answer& answer, bool complete, const std::string& gap);

/// Is a question being asked again at special parameters? Then only its outcome matters.
bool asked_again();

}  // namespace rattleback
