#include <rattleback/proof/measure/invariant_measure.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/measure/density_description.hpp>
#include <rattleback/proof/measure/measure_exceptions.hpp>
#include <rattleback/proof/measure/no_measure_certificate.hpp>
#include <rattleback/proof/measure/quotient_measure.hpp>
#include <rattleback/proof/measure/state_density.hpp>
#include <rattleback/proof/measure/steady_divergence.hpp>

namespace rattleback {
namespace {

/// The certificate, where the motion has a closed form.
void certify(const System& system, const MeasureDecision& d, Answer& a) {
  if (!d.found || !d.evidence.exact) return;
  try {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    if (motion.speeds != d.equations.D.speeds) return;
    a.certificate = measure_certificate(system, motion, density_in_speeds(d));
  } catch (const OutOfDomain&) {
    return;  // the motion has no closed form
  }
}

constexpr const char* state_densities =
    "products of powers of the motion's denominators and exponentials of coordinates, speeds and the "
    "potential (M.10)";

/// A density that depends on the whole state.
void describe_state_density(const System& system, const StateDensity& found, Answer& a) {
  a.outcome = Outcome::proved;
  a.evidence = found.evidence;
  a.answer["exists"] = true;
  a.answer["density"] = found.rho;
  a.answer["variables"] = found.variables;
  a.why.push_back(fmt::format("{} d{} is invariant where the motion is defined", text(found.rho),
                              fmt::join(found.variables, " d")));
  restrict_to_witness(system, found.rho, true, a.answer);
  if (a.evidence.exact)
    a.certificate = measure_certificate(system, gibbs_appell_equations(system), found.rho);
}

/// Where constraints are not linear a density depends on the speeds, too.
Answer nonlinear_answer(const System& system) {
  Answer a;
  a.answer["exists"] = Data();
  a.answer["density"] = Data();
  a.answer["space"] = "D";
  if (const auto found = state_density(system))
    describe_state_density(system, *found, a);
  else
    set_not_found(a, state_densities, measure_of_your_own);
  return a;
}

/// Within limits of its own; nothing when the motion has no closed form.
template <class Found>
Found within_limits(Found (*search)(const System&), const System& system) {
  try {
    const Budget budget(work_limits::state_density);
    return search(system);
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
  return std::nullopt;
}

/// Where potentials or forces act, no density of the configuration alone says nothing about densities of the whole state: those
/// of (M.10) are tried, and a compact steady motion with a divergence excludes all (M.13).
void decide_beyond_configuration(const System& system, bool on_D, Answer& a) {
  a.answer["exists"] = Data();
  a.certificate = Data();
  if (const auto found = on_D ? within_limits(state_density, system) : std::nullopt) {
    describe_state_density(system, *found, a);
    return;
  }
  if (const auto why = on_D ? within_limits(recurrent_divergence, system) : std::nullopt) {
    a.outcome = Outcome::refuted;
    a.evidence = Certificate{true, 0, "a divergence at a steady motion is not zero"};
    a.answer["exists"] = false;
    a.answer["scope"] = "every smooth density";
    a.why.push_back(*why);
    return;
  }
  set_not_found(
      a, fmt::format("densities of the configuration alone, of which there is none; {}", state_densities),
      measure_of_your_own);
}

/// Forces that are not linear in the speeds: dσ(v) is, so no density of the configuration alone is invariant.
Answer beyond_configuration(const System& system, const std::string& why) {
  Answer a;
  const bool reduced_only = !legs_without_functions(system.space).empty();
  a.answer["density"] = Data();
  a.answer["space"] = reduced_only ? "D/G" : "D";
  if (reduced_only) a.answer["domain"] = as_data({"D/G", {}, false});
  a.why.push_back(why + ": no density of the configuration alone is invariant");
  state_dependence({});
  decide_beyond_configuration(system, !reduced_only, a);
  return a;
}

bool is_nonlinear(const System& system) {
  const SolvedVelocities v = solved_velocities(system);
  return !v.linear;
}

}  // namespace

Answer invariant_measure_answer(const System& system) {
  if (!system.constraints.empty() && is_nonlinear(system)) return nonlinear_answer(system);
  std::optional<MeasureDecision> decision;
  try {
    decision = measure_on_D(system);
  } catch (const NonlinearDivergence& none) {
    if (auto refuted = no_measure_by_rest(system)) return *refuted;
    return beyond_configuration(system, none.why);
  } catch (const Inapplicable&) {
    if (auto refuted = no_measure_by_rest(system)) return *refuted;
    throw;
  }
  const MeasureDecision& d = *decision;
  Answer a;
  a.outcome = d.outcome;
  a.evidence = d.evidence;
  const bool reduced_only = !legs_without_functions(system.space).empty();
  a.answer["exists"] = Data();
  a.answer["density"] = Data();
  a.answer["variables"] = measure_variables(system, d.equations);
  a.answer["space"] = reduced_only ? "D/G" : "D";
  if (reduced_only) a.answer["domain"] = as_data({"D/G", {}, false});
  ParameterLocus exceptions;
  switch (d.outcome) {
    case Outcome::proved:
      a.answer["exists"] = true;
      if (d.found) state_dependence(on_witness({d.found->value}, {d.found->value}));
      describe_density(system, d, a);
      certify(system, d, a);
      judge_singular_density(system, d, a);
      if (a.outcome != Outcome::proved) state_dependence({});
      break;
    case Outcome::refuted: {
      a.answer["exists"] = false;
      a.evidence.method = "a condition without unknowns is not zero";
      describe_refuted_density(d, a);
      a.certificate = no_measure_certificate(system, d);
      state_dependence({{conditions_of(d)}, false, false, d.equations.kinetic});
      if (!d.equations.kinetic) decide_beyond_configuration(system, !reduced_only, a);
      if (a.outcome == Outcome::proved) {
        state_dependence({});  // a density that a search found
        break;
      }
      if (asked_again()) return a;
      exceptions = collect_exceptions(
          system, [](const System& special, const SymbolMap&) { return measure_on_D(special); },
          candidates_for_a_measure(system, d), a);
      break;
    }
    case Outcome::not_found:
    case Outcome::undecided:
    case Outcome::inapplicable:
      a.obstacle =
          d.why.empty() ? "the equations for a density leave freedom, and no closed form was found" : d.why;
      a.next_step = measure_of_your_own;
      break;
  }
  const bool singular = d.outcome == Outcome::proved && a.outcome != Outcome::proved;
  if (singular && a.outcome == Outcome::refuted)
    a.why.emplace_back("on D/G: likewise refuted, for a density there is one on D");
  if (!reduced_only && !singular && !asked_again()) add_measure_on_quotient(system, d, exceptions, a);
  return a;
}

}  // namespace rattleback
