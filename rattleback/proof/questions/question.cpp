#include <rattleback/proof/questions/question.hpp>

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/solving/nonzero_record.hpp>
#include <rattleback/model/checks/normal_positions.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/proof/constraints/integrability.hpp>
#include <rattleback/proof/constraints/regularity.hpp>
#include <rattleback/proof/evidence/adapted_coordinates.hpp>
#include <rattleback/proof/evidence/bound_certificate.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/fibre_gauge.hpp>
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
      {"regularity", "the Lagrangian determines the accelerations on the constraint, at almost every state",
       regularity_answer},
      {"integrability", "the constraints are holonomic: their admissible directions are integrable",
       integrability_answer},
      {"energy", "the energy v dL/dv - L is constant along every motion", energy_answer},
      {"symmetries",
       "a vector field on the configurations leaves the Lagrangian, the forces and the constraints as they "
       "are",
       symmetries_answer},
      {"momenta",
       "the momentum of a symmetry, a gauge momentum f(q) J, or another function of first degree in the "
       "velocities is constant along every motion",
       momenta_answer},
      {"conditionally-variational",
       "every motion makes the action stationary among admissible curves, with suitable multipliers",
       conditionally_variational_answer},
      {"integrals",
       "a function of the state that is not a function of the energy is constant along every motion",
       integrals_answer},
      {"invariant-measure", "the motion preserves a measure with a smooth positive density on D",
       invariant_measure_answer},
      {"equilibria", "steady motions and the spectra of small motions about them", equilibria_answer},
      {"jacobi", "the bracket of the constrained motion on D* satisfies Jacobi's identity", jacobi_answer},
      {"chaplygin-multiplier",
       "reduced by a group of symmetries that complements D, the motion is Hamiltonian after a change of "
       "time",
       chaplygin_multiplier_answer},
      {"routh-hamiltonization",
       "reduced by a group and at fixed momenta, the motion is Hamiltonian after a change of time",
       routh_hamiltonization_answer},
      {"suslov-hamiltonization", "the projected bracket of an invariant system on a group is a Lie bracket",
       suslov_hamiltonization_answer},
      {"inverse-problem", "the motions are among those of a regular Lagrangian without constraints",
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

/// An answer that does not say what it is about is about the question's own statement.
Answer stated(const Question& question, Answer a) {
  if (a.statement.empty()) a.statement = question.about;
  return a;
}

bool constraints_call_functions(const System& system) {
  std::vector<Expr> constraints;
  for (const Constraint& c : system.constraints) constraints.push_back(c.expression);
  return !abstract_functions(constraints).empty();
}

/// Functions of which only the name is known, `sign` among them, are general ones: what is refuted may be true of special ones, as x' (sign(x)² − 1)
/// does no work. Integrability asks the constraints alone.
Answer for_general_functions(const Question& question, const System& system, Answer a) {
  if (a.outcome != Outcome::refuted || system.functions.empty()) return a;
  if (question.name == "integrability" && !constraints_call_functions(system)) return a;
  std::vector<std::string> names;
  for (const AbstractFunction& f : system.functions) names.push_back(f.function.name());
  a.statement += fmt::format(", {} being general", fmt::join(names, ", "));
  return a;
}

/// A computation that failed inside takes down its own answer, not the others.
Answer failed_answer(const std::exception& broken) {
  return undecided_answer(fmt::format("this computation failed: bug[{}]", broken.what()),
                          "please report this with the model file; the other answers do not depend on it");
}

/// Questions whose answer does not name the Lagrangian: forces with a potential are no others than any forces.
bool is_about_motions_alone(const Question& question) {
  static const std::set<std::string> names{"regularity", "integrability", "invariant-measure", "equilibria",
                                           "jacobi"};
  return names.contains(question.name);
}

/// Questions that look for a group under which the Lagrangian itself is invariant.
bool wants_invariant_lagrangian(const Question& question) {
  static const std::set<std::string> names{"chaplygin-multiplier", "routh-hamiltonization", "inverse-problem",
                                           "optimal-control"};
  return names.contains(question.name);
}

/// Questions whose search is among functions of single coordinates.
bool searches_by_coordinates(const Question& question) {
  return question.name == "inverse-problem" || question.name == "optimal-control";
}

/// In the model's coordinates, and where nothing is found in those that its translations single out.
Answer decided_in_some_coordinates(const Question& question, const System& system) {
  Answer own = question.decide(system);
  if (own.outcome != Outcome::not_found || !searches_by_coordinates(question)) return own;
  const auto adapted = in_adapted_coordinates(system);
  if (!adapted) return own;
  Answer other = question.decide(adapted->system);
  return other.decided() ? in_own_coordinates(std::move(other), *adapted) : own;
}

/// The motions do not notice a total derivative in the Lagrangian, nor whether a potential is written there or as a force, so no question
/// does. A certificate is about the model as it is written and is left out then.
Answer of_motions_alone(const Question& question, const System& system) {
  System plain = system;
  std::vector<std::string> notes;
  try {
    if (auto moved = is_about_motions_alone(question) ? std::nullopt : with_potentials_of_forces(plain)) {
      notes.emplace_back("the forces at rest have a potential, which is counted in the Lagrangian");
      plain = std::move(*moved);
    } else if (auto whole = question.name == "symmetries" ? with_potential_as_force(plain) : std::nullopt) {
      notes.emplace_back(
          "the forces at rest have no potential, so that the one of the Lagrangian is counted among them");
      plain = std::move(*whole);
    }
    // The energy v dL/dv - L is that of the Lagrangian as it is written, with its terms in the time.
    auto fixed = question.name == "energy" ? std::nullopt : with_fixed_gauge(plain);
    if (fixed) plain = std::move(*fixed);
    auto without = without_total_derivative(plain);
    if (without) plain = std::move(*without);
    if (fixed || without)
      notes.emplace_back(
          "the total derivative in the Lagrangian is left out: no motion depends on it (N.14)");
    if (auto gauge = wants_invariant_lagrangian(question) ? in_fibre_gauge(plain) : std::nullopt) {
      notes.emplace_back(
          "a total derivative is added to the Lagrangian, so that it does not change along the fibre (N.19)");
      plain = std::move(*gauge);
    }
  } catch (const OutOfDomain&) {  // a Lagrangian that is singular at rest
  }
  Answer a = decided_in_some_coordinates(question, plain);
  if (notes.empty()) return a;
  a.certificate = Data();
  a.why.insert(a.why.end(), notes.begin(), notes.end());
  return a;
}

/// The answer, and the parameters at which it is the other one. Whatever these take, the answer stands: they get half of the time
/// that is left.
Answer with_exceptions(const Question& question, const System& system, double seconds) {
  const NonzeroRecord record;
  const DependenceScope dependence;
  const Spent before = Spent::so_far();
  const auto start = ProcessorTime::now();
  const Decide decide = [&](const System& s) { return of_motions_alone(question, s); };
  Answer a = decide(system);
  const std::chrono::duration<double> taken = ProcessorTime::now() - start;
  Dependence on = dependence.stated();
  if (!is_about_motions_alone(question)) {
    if (const std::vector<Expr> curl = curl_of_forces(system); !curl.empty()) on.on.push_back(curl);
  }
  add_exceptions(system, decide, on, record.functions(), Spent::so_far().since(before), a,
                 (std::chrono::duration<double>(seconds) - taken) / 2);
  return a;
}

/// Ways to a Hamiltonian or a Lagrangian: of a system that cannot move there is no motion to be one of.
bool is_about_a_way_of_moving(const Question& question) {
  static const std::set<std::string> names{"chaplygin-multiplier", "routh-hamiltonization",
                                           "suslov-hamiltonization", "inverse-problem", "optimal-control"};
  return names.contains(question.name);
}

bool has_no_freedom(const System& system) {
  return !system.constraints.empty() && solved_velocities(system).speeds.empty();
}

Answer of_first_order() {
  return inapplicable_answer("the Lagrangian is linear in the velocities: the equations are of first order",
                             "ask for `energy` or `momenta`, or check a function of your own with "
                             "`rattleback prove MODEL --conserved`");
}

/// The error as an answer, unless the model is at fault, whatever is asked of it: then it is thrown on.
Answer left_open(const Error& error) {
  if (error.kind() == ErrorKind::model) throw;
  return undecided_answer(reason(error), advice(error));
}

Answer decided(const Question& question, const System& system, double seconds) {
  try {
    const Budget budget({.time = std::chrono::duration<double>(seconds)});
    const OnPositions here(system);
    if (is_about_a_way_of_moving(question) && has_no_freedom(system))
      return stated(question, inapplicable_answer("the constraints leave no freedom",
                                                  "there is no motion to describe; ask for `regularity`"));
    Answer a = stated(question, sealed(with_exceptions(question, system, seconds), system, question.name));
    return for_general_functions(question, system, std::move(a));
  } catch (const Exhausted& limit) {
    return stated(question,
                  undecided_answer(fmt::format("{} within {:.3g} s", limit.what(), seconds),
                                   "give it more time with --timeout, or numbers for parameters with --set"));
  } catch (const NoExactForm& none) {
    return stated(question,
                  undecided_answer(none.what(), "write numbers and angles with small denominators"));
  } catch (const NoParametrization& error) {  // the question makes sense; the method lacks a formula
    return stated(question, undecided_answer(reason(error), advice(error)));
  } catch (const Inapplicable& error) {
    return stated(question, inapplicable_answer(reason(error), advice(error)));
  } catch (const Singular& error) {
    return stated(question, is_first_order(system) ? of_first_order() : left_open(error));
  } catch (const Error& error) {
    return stated(question, left_open(error));
  } catch (const std::exception& broken) {
    return stated(question, failed_answer(broken));
  }
}

/// With the space that a decided answer is about, and where on it.
Answer located(const Question& question, const System& system, Answer a) {
  if (!a.decided()) return a;
  locate(system, space_of_question(question.name), a.answer);
  if (!a.certificate.is_null()) a.certificate["domain"] = text(domain_in(a.answer));
  return a;
}

/// What an overview sums up, all of it within the time for one question: each part has its share of what is left.
std::vector<Answer> parts_of(const Question& q, const System& system, double seconds,
                             std::map<std::string, Answer>& known) {
  std::vector<Answer> parts;
  const auto start = ProcessorTime::now();
  for (std::size_t k = 0; k < q.parts.size(); ++k) {
    if (const auto found = known.find(q.parts[k]); found != known.end()) {
      parts.push_back(found->second);
      continue;
    }
    const std::chrono::duration<double> taken = ProcessorTime::now() - start;
    const double share = std::max(0.0, seconds - taken.count()) / static_cast<double>(q.parts.size() - k);
    const Question part = question(q.parts[k]);
    parts.push_back(located(part, system, decided(part, system, share)));
    if (parts.back().decided()) known.emplace(part.name, parts.back());  // else more time may decide it
  }
  return parts;
}

}  // namespace

Answer asked(const Question& question, const System& system, double seconds) {
  return QuestionSession(system, seconds).answer(question);
}

QuestionSession::QuestionSession(const System& system, double seconds)
    : system_(&system), normal_(with_normal_positions(system)), seconds_(seconds) {}

const Answer& QuestionSession::answer(const Question& q) {
  if (const auto found = known_.find(q.name); found != known_.end()) return found->second;
  if (q.sum_up == nullptr)
    return known_.emplace(q.name, located(q, system(), decided(q, system(), seconds_))).first->second;
  const std::vector<Answer> parts = parts_of(q, system(), seconds_, known_);
  try {
    return known_.emplace(q.name, located(q, system(), stated(q, q.sum_up(parts)))).first->second;
  } catch (const Exhausted&) {
    throw;
  } catch (const std::exception& broken) {
    return known_.emplace(q.name, stated(q, failed_answer(broken))).first->second;
  }
}

}  // namespace rattleback
