#include <rattleback/proof/questions/question.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/model/positions.hpp>
#include <rattleback/proof/constraints/integrability.hpp>
#include <rattleback/proof/constraints/regularity.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/hamiltonization.hpp>
#include <rattleback/proof/hamiltonian/jacobi.hpp>
#include <rattleback/proof/hamiltonian/routh_hamiltonization.hpp>
#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>
#include <rattleback/proof/measure/invariant_measure.hpp>
#include <rattleback/proof/momenta/energy.hpp>
#include <rattleback/proof/momenta/integrals.hpp>
#include <rattleback/proof/momenta/momenta.hpp>
#include <rattleback/proof/momenta/symmetries.hpp>
#include <rattleback/proof/steady/equilibria.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/inverse_problem.hpp>
#include <rattleback/proof/variational/optimal_control.hpp>

namespace rattleback {

const std::vector<Question>& all_questions() {
  static const std::vector<Question> rows{
      {"regularity", "the Lagrangian determines the motion on the constraint", regularity_answer},
      {"integrability", "the constraints are holonomic", integrability_answer},
      {"energy", "the energy is conserved", energy_answer},
      {"symmetries", "there are infinitesimal symmetries", symmetries_answer},
      {"momenta", "momenta of symmetries are conserved", momenta_answer},
      {"conditionally-variational", "the motions make the action stationary for well chosen multipliers",
       conditionally_variational_answer},
      {"integrals", "an integral polynomial in the speeds is independent of the energy", integrals_answer},
      {"invariant-measure", "the motion preserves a smooth measure", invariant_measure_answer},
      {"equilibria", "steady motions and the spectra of small motions about them", equilibria_answer},
      {"jacobi", "the bracket of the motion is Poisson", jacobi_answer},
      {"chaplygin-multiplier", "a change of time makes the reduced motion Hamiltonian",
       chaplygin_multiplier_answer},
      {"routh-hamiltonization", "at fixed momenta a change of time makes the motion Hamiltonian",
       routh_hamiltonization_answer},
      {"suslov-hamiltonization", "the projected bracket of an invariant system on a group is a Lie bracket",
       suslov_hamiltonization_answer},
      {"inverse-problem",
       "a second-order system associated with the motion, of type I, II or III, has a Lagrangian",
       inverse_problem_answer},
      {"optimal-control", "the motions are extremals of the action or of an associated control problem",
       optimal_control_answer},
      {"hamiltonization", "one of the ways to a Hamiltonian succeeds", nullptr, hamiltonization_methods(),
       hamiltonization_overview},
  };
  return rows;
}

const Question& question(const std::string& name) {
  std::vector<std::string> names;
  for (const Question& q : all_questions()) {
    if (q.name == name) return q;
    names.push_back(q.name);
  }
  const auto close = nearest(name, names);
  throw Error("unknown-question", fmt::format("`{}` is not a question", name), "",
              close.empty() ? fmt::format("choose from {}", fmt::join(names, ", "))
                            : fmt::format("did you mean `{}`?", close[0]));
}

namespace {

std::string reason(const Error& error) { return error.why.empty() ? error.summary : error.why; }

std::string advice(const Error& error) {
  return error.fix.empty() ? "ask about a system of another kind" : error.fix;
}

}  // namespace

Answer asked(const Question& question, const System& system, double seconds) {
  if (question.sum_up != nullptr) return QuestionSession(system, seconds).answer(question);
  try {
    const Budget budget({.time = std::chrono::duration<double>(seconds)});
    const OnPositions here(system);
    return sealed(question.decide(system), system, question.name);
  } catch (const Exhausted& limit) {
    return undecided_answer(fmt::format("{} within {} s", limit.what(), seconds),
                            "give it more time with --timeout, or numbers for parameters with --set");
  } catch (const NoParametrization& error) {
    return undecided_answer(reason(error),
                            advice(error));  // the question makes sense; the method lacks a formula
  } catch (const Inapplicable& error) {
    return inapplicable_answer(reason(error), advice(error));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::model) throw;  // whatever is asked of this model
    return undecided_answer(reason(error), advice(error));
  }
}

const Answer& QuestionSession::answer(const Question& q) {
  if (const auto found = known_.find(q.name); found != known_.end()) return found->second;
  if (q.sum_up == nullptr) return known_.emplace(q.name, asked(q, *system_, seconds_)).first->second;
  std::vector<Answer> parts;
  for (const std::string& part : q.parts) parts.push_back(answer(question(part)));
  return known_.emplace(q.name, q.sum_up(parts)).first->second;
}

}  // namespace rattleback
