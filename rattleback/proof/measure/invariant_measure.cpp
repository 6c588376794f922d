#include <rattleback/proof/measure/invariant_measure.hpp>

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/form_on_variety.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/measure/measure_exceptions.hpp>
#include <rattleback/proof/measure/no_measure_certificate.hpp>
#include <rattleback/proof/measure/state_density.hpp>
#include <rattleback/proof/steady/steady_motions.hpp>

namespace rattleback {
namespace {

std::vector<std::string> variables(const System& system, const MeasureEquations& m) {
  std::vector<std::string> names;
  for (const Factor& factor : system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::unit_quaternion) {
        names.push_back(piece.functions.front().attributes().family);
      } else {
        for (const Symbol s : piece.functions) names.push_back(s.name());
      }
    }
  }
  for (const Symbol z : m.D.speeds) names.push_back(z.name());
  return names;
}

/// f |f| as f²: a density is as good on either side of f = 0 with the other sign, and positive with this one.
Expr without_signs(Expr rho) {
  allow_recursion();
  if (!rho.is(Kind::product)) return rho;
  const auto power_of = [](Expr factor) {
    const bool is_power = factor.is(Kind::power);
    return std::pair(is_power ? factor.args()[0] : factor, is_power ? factor.exponent() : 1);
  };
  for (const Expr factor : rho.args()) {
    const auto [size, k] = power_of(factor);
    if (!is_call_of(size, Builtin::abs) || k % 2 == 0) continue;
    const Expr f = size.args()[0];
    for (const Expr other : rho.args()) {
      if (const auto [base, n] = power_of(other); base == f && n % 2 != 0)
        return without_signs(rho / factor / other * pow(f, k + n));
    }
  }
  return rho;
}

/// With respect to dq dz: dq dp = det G dq dz.
Expr density_in_speeds(const MeasureDecision& d) {
  const Expr rho = d.equations.momenta ? d.found->value * determinant(d.equations.metric) : d.found->value;
  return without_signs(without_constant_factors(short_form_on_variety(rho)));
}

void describe_refutation(const MeasureDecision& d, Answer& a) {
  const DirectionalCondition* shortest = nullptr;
  Expr shown = 0;
  for (const DirectionalCondition& c : d.closure.conditions) {
    const Expr e = short_form_on_variety(c.residual);
    if (shortest != nullptr && written_size(e) >= written_size(shown)) continue;
    shortest = &c;
    shown = e;
  }
  if (shortest != nullptr) {
    a.why.push_back(
        fits(shown, legible::on_a_line)
            ? fmt::format("{} must vanish: {} has no unknown left (M.3)", text(shown), shortest->origin)
            : fmt::format("{} leaves a condition without unknowns that fails (M.3)", shortest->origin));
    if (written_size(shown) <= 20 * legible::on_a_line.count) a.answer["condition"] = shown;
  }
  if (!d.why.empty()) a.why.push_back(d.why);
  a.answer["scope"] = d.equations.kinetic ? "every smooth density" : "densities of the configuration";
  a.why.emplace_back(d.equations.kinetic ? "the energy is kinetic, so this excludes every smooth density"
                                         : "this excludes densities that depend on the configuration alone");
}

/// A density such as sqrt(x^2 - 1) is one where it is real.
void restrict_to_reals(const System& system, Expr rho, Answer& a) {
  for (const WitnessCondition& c : limits_of_witness(system, {}, rho, false)) {
    if (c.positive) restrict_domain(a.answer, {fmt::format("{} > 0", text(c.e))});
  }
}

/// The density in the speeds with its variables, as data and as a line.
void describe_density(const System& system, const MeasureDecision& d, Answer& a) {
  if (d.found) {
    const Expr rho = density_in_speeds(d);
    if (a.outcome == Outcome::proved) restrict_to_reals(system, rho, a);
    a.answer["density"] = rho;
    if (d.equations.momenta) a.answer["density_in_momenta"] = short_form(d.found->value);
    a.why.push_back(
        fmt::format("{} d{} is invariant", text(rho), fmt::join(variables(system, d.equations), " d")));
  }
  if (!d.why.empty()) a.why.push_back(d.why);
}

/// (ρ/√det G)²: the density relative to the volume √det G dq dz that the kinetic energy gives D. It is the same function on D for all speeds,
/// also where some of them have poles; nothing where it still has zeros or poles.
std::optional<Expr> squared_density_in_energy_volume(const System& system, Expr rho) {
  const Expr squared = short_form_on_variety(pow(rho, 2) / determinant(projected_motion(system).metric));
  const Positivity found = positivity(system, squared);
  if (!found.known || found.negative || !found.zeros.empty() || !found.chart.empty()) return std::nullopt;
  return squared;
}

/// The domain is restricted to where these functions, at whose zeros the speeds degenerate, do not vanish, unless the density is regular there.
void restrict_to_poles_of_density(const System& system, Expr rho, const std::vector<Expr>& functions,
                                  Answer& a) {
  if (functions.empty()) return;
  if (const auto squared = squared_density_in_energy_volume(system, rho)) {
    const Expr density = short_form(sqrt(*squared));
    const std::string shown =
        fits(density, legible::in_a_reason) ? text(density) : "smooth and positive there, too";
    a.why.push_back(
        "where the speeds degenerate the density does not: relative to the volume of the kinetic energy it "
        "is " +
        shown);
    return;
  }
  for (const Expr e : functions) restrict_domain(a.answer, {text(e) + " != 0"});
}

/// A density that vanishes or has poles where the speeds and the kinetic energy are regular is none on D. Where the equations leave no
/// other, there is none at all; else it is not known.
void judge_singular_density(const System& system, const MeasureDecision& d, Answer& a) {
  if (a.outcome != Outcome::proved || !d.found) return;
  const Expr rho = density_in_speeds(d);
  const Positivity found = positivity(system, rho);
  if (found.negative) {
    const Expr positive = found.positive ? abs(rho) : -rho;
    a.answer["density"] = positive;
    for (std::string& line : a.why) {
      if (line.starts_with(text(rho) + " d")) line.replace(0, text(rho).size(), text(positive));
    }
  }
  std::vector<Expr> excluded = found.zeros;
  excluded.insert(excluded.end(), found.chart.begin(), found.chart.end());
  if (!excluded.empty()) a.answer["zeros_and_poles"] = texts(excluded);
  restrict_to_poles_of_density(system, rho, not_excluded(system, found.chart), a);
  if (found.zeros.empty() && (!found.changes_sign() || !found.chart.empty())) return;
  const std::string where = found.zeros.empty() ? "it does not change its sign" : nonzero_text(found.zeros);
  a.why.push_back(fmt::format("it is smooth and positive only where {}", where));
  a.certificate = {};
  a.answer["exists"] = Data();
  if (!found.zeros.empty() && d.equations.kinetic && determines_density(system, d)) {
    a.outcome = Outcome::refuted;
    a.evidence = Certificate{false, 40, "zeros and poles of the only candidate, in double precision"};
    a.answer["exists"] = false;
    a.answer["scope"] = "every smooth density";
    a.why.emplace_back(
        "every invariant density is a constant times it on each connected part of that set: none is smooth "
        "and "
        "positive on all of D");
    return;
  }
  a.outcome = Outcome::undecided;
  a.obstacle = fmt::format(
      "the density found is smooth and positive only where {}, and others are not excluded", where);
  a.next_step = "check a density of your own with `rattleback prove MODEL --measure`";
}

/// What a sceptic recomputes, where the motion has a closed form of bearable length.
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

std::vector<VectorField> at_values(const std::vector<VectorField>& fields, const SymbolMap& values) {
  std::vector<VectorField> out;
  for (const VectorField& f : fields)
    out.emplace_back(f.space(),
                     substitute(std::vector<Expr>(f.coefficients().begin(), f.coefficients().end()), values));
  return out;
}

/// Σ_b c_ab^b = 0: left and right translations preserve one volume.
bool is_unimodular(const SymmetryAlgebra& algebra) {
  const int n = static_cast<int>(algebra.generators.size());
  for (int a = 0; a < n; ++a) {
    Expr trace = 0;
    for (int b = 0; b < n; ++b) trace += algebra.c(a, b, b);
    if (!vanishes_at_random_points(trace)) return false;
  }
  return algebra.is_closed;
}

/// The divergence of the motion at a steady one.
Expr divergence_at(const SteadyFamily& f) {
  const Matrix A = state_matrix(f.small);
  std::vector<Expr> terms{Expr(0)};
  for (int i = 0; i < A.rows(); ++i) terms.push_back(A(i, i));
  return sum(terms);
}

std::string divergence_text(const std::string& where, Expr divergence) {
  const Expr shown = short_form(divergence);
  return fits(shown, legible::on_a_line)
             ? fmt::format("at {} the divergence is {}, not 0: no smooth density at all", where, text(shown))
             : fmt::format("at {} the divergence is not 0: no smooth density at all", where);
}

/// Where the equations for a density of the configuration do not apply: the same at states of rest, on D itself. (M.11)
std::optional<Answer> refuted_at_rest(const System& system) {
  if (contains_time(system)) return std::nullopt;
  const SolvedVelocities v = solved_velocities(system);
  SymbolMap still;
  for (const Symbol z : v.speeds) still.emplace(z, Expr(0));
  const std::vector<Expr> drift = substitute(v.psi, still);
  if (!std::all_of(drift.begin(), drift.end(), [](Expr e) { return vanishes_at_random_points(e); }))
    return std::nullopt;
  for (const SteadyFamily& f : steady_motions(system, v).families) {
    const bool rest = std::all_of(v.speeds.begin(), v.speeds.end(), [&](Symbol z) {
      return substitute(f.point.values.at(z), still).is_zero();  // those that are free are 0 somewhere
    });
    if (!rest || !f.exists.empty()) continue;
    const Expr divergence = substitute(divergence_at(f), still);
    if (vanishes_at_random_points(divergence)) continue;
    Answer a;
    a.outcome = Outcome::refuted;
    a.evidence = Certificate{true, 0, "a divergence at rest is not zero"};
    a.answer["exists"] = false;
    a.answer["density"] = Data();
    a.answer["space"] = "D";
    a.answer["scope"] = "every smooth density";
    a.why.push_back(divergence_text("a state of rest", divergence));
    if (!known_nonzero(short_form(divergence)))
      a.why.emplace_back("parameters at which that is 0 are not excluded");
    return a;
  }
  return std::nullopt;
}

/// Does the family's motion leave all coordinates of lines where they are? Speeds are constant, everything else lives on circles and
/// rotation groups: the motion stays in a compact set.
bool stays_in_compact_set(const System& system, const SymbolMap& rates, const SymbolMap& values) {
  for (const Factor& factor : system.space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier != Carrier::real) continue;
      for (const Symbol q : piece.functions) {
        if (!vanishes_at_random_points(substitute(rates.at(q), values))) return false;
      }
    }
  }
  return true;
}

/// Along a steady motion that stays in a compact set with a constant divergence Θ ≠ 0 every invariant density would be
/// ρ(t) = ρ(0) e^{−Θt}, which is not bounded by positive numbers from both sides: there is none on D.         (M.13)
std::optional<std::string> recurrent_divergence(const System& system) {
  if (contains_time(system)) return std::nullopt;
  const SolvedVelocities v = solved_velocities(system);
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  if (motion.speeds != v.speeds) return std::nullopt;
  const SymbolMap rates = along(system, motion);
  const Expr theta = divergence_of(system, motion), change = derivative_along(theta, rates);
  for (const SteadyFamily& f : steady_motions(system, v).families) {
    if (f.along_group || !f.exists.empty()) continue;
    try {
      const Expr there = substitute(theta, f.point.values);
      if (vanishes_at_random_points(there) ||
          !vanishes_at_random_points(substitute(change, f.point.values)) ||
          !stays_in_compact_set(system, rates, f.point.values))
        continue;
      return divergence_text("a steady motion that stays in a compact set", there) +
             (known_nonzero(short_form(there))
                  ? ""
                  : "; where that is 0 only those of the configuration are excluded");
    } catch (const OutOfDomain&) {
      continue;  // a pole of the speeds
    }
  }
  return std::nullopt;
}

/// At an equilibrium of the motion on D/G every smooth invariant density forces the divergence to vanish.   (M.11)
void refute_by_steady_motion(const System& system, Answer& reduced) {
  if (contains_time(system)) return;  // nothing is steady
  const SolvedVelocities v = solved_velocities(system);
  for (const SteadyFamily& f : steady_motions(system, v).families) {
    if (f.along_group) continue;  // the group divided out here may be smaller
    const Expr divergence = divergence_at(f);
    if (vanishes_at_random_points(divergence)) continue;
    reduced.outcome = Outcome::refuted;
    reduced.answer["exists"] = false;
    reduced.answer["scope"] = "every smooth density";
    reduced.why.push_back(divergence_text("a steady motion", divergence));
    return;
  }
}

/// The same question about the motion divided by its symmetries. A density there is one on D, so what excludes the one
/// excludes the other, and only parameters that allow it on D can allow it there.
Answer quotient_answer(const System& system, const MeasureDecision& on_D,
                       const ParameterLocus& exceptions_on_D) {
  Answer a;
  const SymmetryAlgebra algebra = algebra_of(system, "", symmetry_group(system));
  std::vector<VectorField> group;
  for (const Generator& g : algebra.generators) group.push_back(g.field);
  a.answer["group"] = algebra.name;
  a.answer["dimension"] = static_cast<int>(group.size());
  a.answer["exists"] = Data();
  if (group.empty() || !is_unimodular(algebra)) {
    a.obstacle = group.empty() ? "no symmetry was found" : "the group is not unimodular";
    return a;
  }
  const bool excluded = on_D.outcome == Outcome::refuted;
  const MeasureDecision d = excluded ? on_D : measure_on_quotient(system, group);
  a.outcome = d.outcome;
  a.evidence = d.evidence;
  if (d.outcome == Outcome::proved) {
    a.answer["exists"] = true;
    describe_density(system, d, a);
    judge_singular_density(system, d, a);
  } else if (d.outcome == Outcome::refuted) {
    a.answer["exists"] = false;
    describe_refutation(d, a);
    const DecideMeasure there = [&group](const System& special, const SymbolMap& values) {
      return measure_on_quotient(special, at_values(group, values));
    };
    collect_exceptions(system, there, excluded ? exceptions_on_D : candidates_for_a_measure(system, d), a);
  }
  if (!on_D.equations.kinetic && d.outcome != Outcome::proved) {
    if (a.outcome == Outcome::refuted)
      a.outcome = Outcome::not_found;  // densities of the configuration alone
    if (a.outcome == Outcome::not_found) a.answer["exists"] = Data();
    refute_by_steady_motion(system, a);
  }
  return a;
}

/// Within limits of its own: a quotient that takes too much work does not spoil the answer on D.
void add_quotient(const System& system, const MeasureDecision& on_D, const ParameterLocus& exceptions_on_D,
                  Answer& a) {
  Answer reduced;
  try {
    const Budget budget(work_limits::measure_on_quotient);
    reduced = quotient_answer(system, on_D, exceptions_on_D);
  } catch (const Exhausted&) {
    reduced.answer["exists"] = Data();
    reduced.obstacle = "it took too much work";
  } catch (const OutOfDomain& error) {
    reduced.answer["exists"] = Data();
    reduced.obstacle = error.summary;
  }
  Data::List unless;
  for (const Locus& locus : reduced.unless) unless.emplace_back(text(locus));
  reduced.answer["verdict"] = text(reduced.outcome);
  reduced.answer["unless"] = unless;
  a.answer["reduced"] = reduced.answer;
  if (reduced.outcome == Outcome::undecided) {
    a.why.push_back(fmt::format("on D/G: undecided, {}",
                                reduced.obstacle.empty() ? "no density was found" : reduced.obstacle));
    return;
  }
  const Data* name = reduced.answer.find("group");
  const std::string group = name != nullptr && name->text() != nullptr && !name->text()->empty()
                                ? fmt::format(" with {}", *name->text())
                                : "";
  const bool same = reduced.outcome == a.outcome && text(reduced.unless) == text(a.unless);
  a.why.push_back(fmt::format("on D/G{}: {}{}{}", group, same ? "likewise " : "", text(reduced.outcome),
                              reduced.unless.empty() ? "" : " unless " + text(reduced.unless)));
  if (!same && !reduced.why.empty()) a.why.push_back("on D/G: " + reduced.why.front());
  if (reduced.outcome == Outcome::refuted && reduced.why.back().starts_with("at a steady"))
    a.why.push_back("on D/G: " + reduced.why.back());
}

constexpr const char* state_densities =
    "products of powers of the motion's denominators and exponentials of coordinates, speeds and the "
    "potential (M.10)";
constexpr const char* measure_of_your_own =
    "check a density of your own with `rattleback prove MODEL --measure`";

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
    if (auto refuted = refuted_at_rest(system)) return *refuted;
    return beyond_configuration(system, none.why);
  } catch (const Inapplicable&) {
    if (auto refuted = refuted_at_rest(system)) return *refuted;
    throw;
  }
  const MeasureDecision& d = *decision;
  Answer a;
  a.outcome = d.outcome;
  a.evidence = d.evidence;
  const bool reduced_only = !legs_without_functions(system.space).empty();
  a.answer["exists"] = Data();
  a.answer["density"] = Data();
  a.answer["variables"] = variables(system, d.equations);
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
      describe_refutation(d, a);
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
  if (!reduced_only && !singular && !asked_again()) add_quotient(system, d, exceptions, a);
  return a;
}

}  // namespace rattleback
