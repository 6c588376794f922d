#include <rattleback/proof/evidence/conjecture.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/pieces.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/system/components.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/equations/first_order_motion.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/motion/velocities/solved_velocities.hpp>
#include <rattleback/proof/evidence/certificate.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>
#include <rattleback/proof/evidence/divergence_on_positions.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/total_derivative.hpp>

namespace rattleback {
namespace {

Place command_line(const std::string& option) {
  Place place;
  place.file = "command line, " + option;
  return place;
}

/// "at x = 1/2, theta = 3: 0.125": the point where it fails.
void add_counterexample(const Verdict& verdict, Answer& a) {
  const auto* no = std::get_if<Refuted>(&verdict);
  if (no == nullptr || no->at.point.empty()) return;
  std::vector<std::string> values;
  Data point;
  for (const auto& [symbol, value] : no->at.point) {
    values.push_back(fmt::format("{} = {}", symbol.name(), value));
    point[symbol.name()] = value;
  }
  a.why.push_back(fmt::format("at {}: {}", fmt::join(values, ", "), no->at.value));
  a.answer["counterexample"] = point;
  a.answer["value"] = no->at.value;
}

/// Constraints that are not linear are solved for velocities one branch at a time: what is proved holds on that branch.
void add_branch(const System& system, Answer& a) {
  if (a.outcome != Outcome::proved) return;
  const std::vector<bool> affine = velocity_rows(system.space, constraint_functions(system)).affine;
  if (std::find(affine.begin(), affine.end(), false) == affine.end()) return;
  const SolvedVelocities v = solved_velocities(system);
  for (const Assumption& s : simplified(v.where))
    a.why.push_back(
        fmt::format("where {} {} 0", text(s.expression), s.kind == Assumption::Kind::nonzero ? "!=" : ">"));
  for (const std::string& branch : v.notes) a.why.push_back(branch);
}

}  // namespace

Answer answer_with_point(const Verdict& verdict) {
  Answer a = answer_of(verdict);
  add_counterexample(verdict, a);
  return a;
}

void add_formula(const std::string& name, Expr e, Answer& a) {
  const Expr shown = short_form(e);
  if (fits(shown, legible::in_a_reason)) a.why.push_back(fmt::format("{} = {}", name, text(shown)));
}

SymbolMap along(const System& system, const EquationsOfMotion& motion) {
  SymbolMap rates;
  for (std::size_t i = 0; i < motion.configuration.size(); ++i)
    rates.emplace(motion.configuration[i], motion.configuration_rates[i]);
  for (std::size_t i = 0; i < motion.speeds.size(); ++i)
    rates.emplace(motion.speeds[i], motion.speed_rates[i]);
  rates.emplace(system.time, 1);
  return rates;
}

void note_turns(const System& system, Expr f, Answer& a) {
  const auto q = angle_of_several_values(system.space, f);
  if (!q || a.outcome != Outcome::proved) return;
  a.answer["several_values"] = q->name();
  restrict_domain(a.answer, {}, true);
  a.why.push_back(
      fmt::format("it changes with every turn of {}: a function where {} counts its turns, on the "
                  "cover, and locally; none on the circle",
                  q->name(), q->name()));
}

namespace {

/// Factors of parameters alone, of which nothing says that they are positive: a of a*(1 + x^2), for a parameter of either sign.
struct ConstantFactors {
  Expr odd = 1, even = 1;  ///< powers; an even one is positive where it is not 0
};
ConstantFactors constant_factors(Expr f) {
  ConstantFactors found;
  const Expr shortest = short_form(f);
  for (const Expr e : shortest.is(Kind::product) ? shortest.args() : std::span<const Expr>(&shortest, 1)) {
    if (!is_constant(e) || e.is(Kind::constant) || known_sign(e) == KnownSign::positive) continue;
    const bool even = e.is(Kind::power) && e.exponent() % 2 == 0;
    Expr& part = even ? found.even : found.odd;
    part = part * e;
  }
  return found;
}

}  // namespace

void judge_positivity(const System& system, Expr f, const std::string& what, Answer& a) {
  if (a.outcome != Outcome::proved) return;
  const ConstantFactors constant = constant_factors(f);
  for (const Assumption& c : simplified(
           {{constant.odd, Assumption::Kind::positive, {}}, {constant.even, Assumption::Kind::nonzero, {}}}))
    restrict_domain(a.answer, {fmt::format("{} {} 0", text(c.expression),
                                           c.kind == Assumption::Kind::positive ? ">" : "!=")});
  f = f / (constant.odd * constant.even);
  const Positivity found = positivity(system, f);
  if (found.changes_sign_with_chart())
    a.why.emplace_back(
        "its absolute value is positive; it changes its sign only where the speeds degenerate");
  if (!found.is_real() || (found.negative && !found.changes_sign_with_chart())) {
    a.outcome = Outcome::refuted;
    a.evidence = Certificate{false, 40, "its sign at random states, in double precision"};
    a.certificate = {};
    a.why.push_back(!found.is_real() ? fmt::format("it is not a real number, and {} is positive", what)
                                     : fmt::format("{} is positive, and at {} this is {:.6g}", what,
                                                   state_text(system, symbols_of(f), *found.negative),
                                                   evaluate(f, *found.negative)));
    if (found.changes_sign())
      a.why.emplace_back("it satisfies the equation, and so does its absolute value where that is not 0");
    return;
  }
  std::vector<Expr> zeros = found.zeros;
  zeros.insert(zeros.end(), found.chart.begin(), found.chart.end());
  if (zeros.empty()) return;
  a.answer["zeros_and_poles"] = texts(zeros);
  for (const Expr e : zeros) restrict_domain(a.answer, {text(e) + " != 0"});
  a.why.push_back(fmt::format("it is smooth and positive only where {}", nonzero_text(zeros)));
}

namespace {

/// Along a motion of first order velocities are functions of the position; no certificate is known for it.
Answer conserved_in_first_order(const System& system, Expr f) {
  const EquationsOfMotion motion = first_order_equations(system);
  const Expr function = substitute(on_frame(system, f), motion.velocities);
  const Expr rate = derivative_along(function, along(system, motion));
  Answer a = answer_with_point(is_zero(rate));
  if (a.outcome == Outcome::refuted) add_formula("its rate", rate, a);
  note_turns(system, function, a);
  return a;
}

}  // namespace

Answer conserved_conjecture(const System& system, Expr f) {
  if (is_first_order(system)) return conserved_in_first_order(system, f);
  const OnPositions here(system);
  const Expr on_velocities = on_frame(system, f);
  const Verdict quick = is_conserved(system, on_velocities);
  try {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    const Expr function = substitute(on_velocities, motion.velocities);
    const Expr rate = derivative_along(function, along(system, motion));
    const Verdict exact = is_zero(rate);
    if (!undecided(exact)) {
      Answer a = answer_with_point(exact);
      if (refuted(exact)) add_formula("its rate", rate, a);
      if (proved(exact)) a.certificate = conservation_certificate(system, motion, short_form(function));
      if (refuted(exact))
        a.certificate = not_conserved_certificate(system, motion, short_form(function), rate);
      note_turns(system, function, a);
      add_branch(system, a);
      return a;
    }
  } catch (const Inapplicable&) {  // no parametrisation: the quick answer stands
  }
  Answer a = answer_of(quick);
  note_turns(system, on_velocities, a);
  return a;
}

Data certificate_of_constants(const System& system, const std::vector<Expr>& functions) {
  try {
    const EquationsOfMotion motion = gibbs_appell_equations(system);
    std::vector<Expr> on_D;
    for (const Expr f : functions)
      on_D.push_back(short_form(substitute(on_frame(system, f), motion.velocities)));
    return conservation_certificate(system, motion, on_D);
  } catch (const OutOfDomain&) {
    return {};  // no parametrisation of the admissible velocities
  }
}

Answer zero_conjecture(const System& system, Expr f) {
  const OnPositions here(system);
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const Expr on_constraint = substitute(on_frame(system, f), motion.velocities);
  Answer a = answer_with_point(is_zero(on_constraint));
  if (a.outcome == Outcome::refuted) add_formula("on the constraint it", on_constraint, a);
  if (a.decided())
    a.certificate = zero_certificate(system, motion, short_form(on_constraint), a.outcome == Outcome::proved);
  add_branch(system, a);
  return a;
}

Expr divergence_of(const System& system, const EquationsOfMotion& motion) {
  VectorField velocity(system.space);
  for (int i = 0; i < system.space.dimension(); ++i) {
    const Symbol v = system.space.velocities()[static_cast<std::size_t>(i)];
    velocity[i] = motion.velocities.contains(v) ? motion.velocities.at(v) : Expr(v);
  }
  std::vector<Expr> terms{divergence_on_moving_positions(system, velocity)};
  for (std::size_t a = 0; a < motion.speeds.size(); ++a)
    terms.push_back(derivative(motion.speed_rates[a], motion.speeds[a]));
  return sum(terms);
}

Answer refuted_as_zero() {
  Answer a;
  a.outcome = Outcome::refuted;
  a.why.emplace_back("it vanishes everywhere");
  return a;
}

Answer symmetry_conjecture(const System& system, const VectorField& xi) {
  const OnPositions here(system);
  const Invariance found = invariance(system, xi);
  Answer a = answer_with_point(is_symmetry(found));
  a.why.push_back(fmt::format("Lagrangian: {}, constraints: {}, forces: {}", evidence(found.lagrangian),
                              evidence(found.constraints), evidence(found.forces)));
  const bool turned = std::any_of(xi.coefficients().begin(), xi.coefficients().end(), [&](Expr e) {
    return angle_of_several_values(system.space, e).has_value();
  });
  if (turned) {
    a.why = {std::get<Refuted>(found.lagrangian).at.note};
    return a;
  }
  if (a.outcome == Outcome::proved && proved(is_zero(xi.coefficients()))) {
    a = refuted_as_zero();
    a.why = {
        "it vanishes where the position constraints hold: it moves nothing on N, and so does the field 0"};
    return a;
  }
  if (a.outcome == Outcome::refuted && proved(found.constraints) && proved(found.forces) &&
      is_total_derivative(system, complete_lift(xi, system.lagrangian))) {
    a = Answer();
    a.outcome = Outcome::proved;
    a.evidence = Certificate{false, 100, "zero at random points"};
    a.why = {"it changes the Lagrangian by a total derivative d/dt f(q)"};
    return a;
  }
  if (a.outcome == Outcome::refuted && refuted(found.lagrangian)) {
    const auto forced = with_gyroscopic_forces(system);
    const Verdict of_motions = forced ? is_symmetry(*forced, xi) : Verdict(found.lagrangian);
    if (proved(of_motions)) {
      a = answer_of(of_motions);
      a.why = {
          "it changes the Lagrangian by a total derivative: its gyroscopic forces stay as they are (N.15)"};
      return a;
    }
  }
  if (a.decided()) a.certificate = symmetry_certificate(system, {xi}, a.outcome == Outcome::proved);
  return a;
}

Answer integral_conjecture(const System& system, Expr F) {
  const OnPositions here(system);
  const std::vector<Symbol> occurring = symbols_of(F);
  if (std::any_of(occurring.begin(), occurring.end(), [](Symbol s) { return s.role() == Role::velocity; }))
    throw Error("velocity-not-allowed", "an integral of the constraints is a function of the configuration",
                "this one depends on velocities", "claim --conserved, which is about the motion")
        .at(command_line("--integral-of"));
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const Expr rate = derivative_along(F, along(system, motion));
  Answer a = answer_with_point(is_zero(rate));
  if (a.outcome == Outcome::refuted) add_formula("its rate", rate, a);
  if (a.outcome == Outcome::proved) a.certificate = conservation_certificate(system, motion, F);
  if (a.outcome == Outcome::refuted) a.certificate = not_conserved_certificate(system, motion, F, rate);
  note_turns(system, F, a);
  return a;
}

Answer agreement_conjecture(const System& system, const std::string& first, const std::string& second) {
  const OnPositions here(system);
  const std::vector<EquationsOfMotion> forms{formalism(first).derive(system),
                                             formalism(second).derive(system)};
  const Agreement found = agreement(system, forms);
  Answer a = answer_with_point(found.motion);
  if (a.outcome == Outcome::proved)
    a.certificate = agreement_certificate(system, gibbs_appell_equations(system), forms);
  if (!found.difference.empty()) a.why.insert(a.why.begin(), "they differ in " + found.difference);
  return a;
}

namespace {

[[noreturn]] void not_a_field(const std::string& summary) {
  throw Error("usage", summary, "", "write --symmetry \"x = -y, y = x, theta = 1\"")
      .at(command_line("--symmetry"));
}

}  // namespace

VectorField field_of_conjecture(const System& system, const std::string& text) {
  SymbolMap rates;
  VectorField along_legs(system.space);
  for (const std::string& item : pieces(text, ',')) {
    const std::size_t equals = item.find('=');
    std::string name = item.substr(0, equals);
    std::erase(name, ' ');
    const std::vector<Symbol> q = symbols_named(system.scope, system.space, name);
    if (equals == std::string::npos || q.size() != 1)
      not_a_field(fmt::format("`{}` does not give a coordinate its rate", item));
    const Expr rate = parse(item.substr(equals + 1), system.scope);
    const auto v = system.space.velocities();
    if (std::any_of(v.begin(), v.end(), [&](Symbol s) { return contains(rate, s); }))
      not_a_field(fmt::format("`{}` depends on velocities, and a symmetry acts on configurations", item));
    if (const int leg = leg_of(system.space, q[0]); leg >= 0) {
      along_legs[leg] += rate;  // x' = -y says the same as x = -y; Omega1 = 1 turns a body
    } else if (!rates.emplace(q[0], rate).second) {
      not_a_field(fmt::format("`{}` is given two rates", name));
    }
  }
  const VectorField xi = VectorField(system.space, components(system.space, rates)) + along_legs;
  const auto& coefficients = xi.coefficients();
  if (std::all_of(coefficients.begin(), coefficients.end(), [](Expr e) { return e.is_zero(); }))
    not_a_field(fmt::format("`{}` moves nothing", text));
  return xi;
}

}  // namespace rattleback
