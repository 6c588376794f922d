#include <rattleback/proof/question.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/budget.hpp>
#include <rattleback/proof/chaplygin_multiplier.hpp>
#include <rattleback/proof/conditionally_variational.hpp>
#include <rattleback/proof/energy.hpp>
#include <rattleback/proof/equilibria.hpp>
#include <rattleback/proof/hamiltonization.hpp>
#include <rattleback/proof/integrability.hpp>
#include <rattleback/proof/integrals.hpp>
#include <rattleback/proof/invariant_measure.hpp>
#include <rattleback/proof/inverse_problem.hpp>
#include <rattleback/proof/jacobi.hpp>
#include <rattleback/proof/momenta.hpp>
#include <rattleback/proof/optimal_control.hpp>
#include <rattleback/proof/regularity.hpp>
#include <rattleback/proof/routh_hamiltonization.hpp>
#include <rattleback/proof/suslov_hamiltonization.hpp>
#include <rattleback/proof/symmetries.hpp>

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

/// The method that threw it needs a system of another kind.
bool is_of_another_kind(const Error& error) {
  return error.slug == "form-does-not-apply" || error.slug == "nonlinear-constraint";
}

/// Something is wrong with the model itself, whatever is asked. What else a method cannot do leaves its question open, and the
/// answers to the others stand.
bool is_of_the_model(const Error& error) {
  constexpr std::array slugs{"bad-parametrization", "degenerate-energy", "inconsistent-constraints",
                             "velocities-not-a-frame", "velocities-not-linear"};
  return std::find(slugs.begin(), slugs.end(), error.slug) != slugs.end();
}

}  // namespace

Answer asked(const Question& question, const System& system, double seconds) {
  if (question.sum_up != nullptr) return Interview(system, seconds).answer(question);
  try {
    const Budget budget({.time = std::chrono::duration<double>(seconds)});
    return question.decide(system);
  } catch (const Exhausted& limit) {
    return undecided_answer(fmt::format("{} within {} s", limit.what(), seconds),
                            "give it more time with --timeout, or numbers for parameters with --set");
  } catch (const Error& error) {
    const std::string why = error.why.empty() ? error.summary : error.why;
    const std::string fix = error.fix.empty() ? "ask about a system of another kind" : error.fix;
    if (is_of_another_kind(error)) return inapplicable_answer(why, fix);
    if (is_of_the_model(error)) throw;
    return undecided_answer(why, fix);
  }
}

const Answer& Interview::answer(const Question& q) {
  if (const auto found = known_.find(q.name); found != known_.end()) return found->second;
  if (q.sum_up == nullptr) return known_.emplace(q.name, asked(q, *system_, seconds_)).first->second;
  std::vector<Answer> parts;
  for (const std::string& part : q.parts) parts.push_back(answer(question(part)));
  return known_.emplace(q.name, q.sum_up(parts)).first->second;
}

}  // namespace rattleback
