#include <rattleback/proof/measure/density_description.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/recursion.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/form_on_variety.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/proof/evidence/certified_system.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/exceptional_parameters.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/positivity.hpp>

namespace rattleback {
namespace {

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

}  // namespace

std::vector<std::string> measure_variables(const System& system, const MeasureEquations& m) {
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

Expr density_in_speeds(const MeasureDecision& d) {
  const Expr rho = d.equations.momenta ? d.found->value * determinant(d.equations.metric) : d.found->value;
  return without_signs(without_constant_factors(short_form_on_variety(rho)));
}

void describe_refuted_density(const MeasureDecision& d, Answer& a) {
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

namespace {

/// A density such as sqrt(x^2 - 1) is one where it is real.
void restrict_to_reals(const System& system, Expr rho, Answer& a) {
  for (const WitnessCondition& c : limits_of_witness(system, {}, rho, false)) {
    if (c.positive) restrict_domain(a.answer, {fmt::format("{} > 0", text(c.e))});
  }
}

}  // namespace

void describe_density(const System& system, const MeasureDecision& d, Answer& a) {
  if (d.found) {
    const Expr rho = density_in_speeds(d);
    if (a.outcome == Outcome::proved) restrict_to_reals(system, rho, a);
    a.answer["density"] = rho;
    if (d.equations.momenta) a.answer["density_in_momenta"] = short_form(d.found->value);
    a.why.push_back(fmt::format("{} d{} is invariant", text(rho),
                                fmt::join(measure_variables(system, d.equations), " d")));
  }
  if (!d.why.empty()) a.why.push_back(d.why);
}

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
  a.next_step = measure_of_your_own;
}

}  // namespace rattleback
