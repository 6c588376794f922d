#include <rattleback/proof/measure/state_density.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/evidence/constant_combination.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/measure/measure_decision.hpp>

namespace rattleback {
namespace {

/// What the rates divide by, and what is under the roots of velocities solved for: where it vanishes there is no motion.
std::vector<Expr> divisors(const EquationsOfMotion& motion) {
  constexpr std::size_t writable = search_limits::divisors_of_rates.count;
  std::vector<Expr> found, rates = motion.speed_rates;
  rates.insert(rates.end(), motion.configuration_rates.begin(), motion.configuration_rates.end());
  for (const Expr rate : rates) {
    Budget::check();
    const Expr shorter = short_form(rate);
    if (written_size(shorter) > writable) continue;
    for (const Expr f : factors(shorter).below) {
      if (!is_constant(f) && std::find(found.begin(), found.end(), f) == found.end()) found.push_back(f);
    }
  }
  for (const Assumption& a : motion.where) {
    const Expr f = short_form(a.expression);
    const bool positive = a.kind == Assumption::Kind::positive && !is_constant(f);
    if (positive && std::find(found.begin(), found.end(), f) == found.end()) found.push_back(f);
  }
  return found;
}

/// On a circle the exponential of an angle is no function.
std::vector<Symbol> coordinates_of_lines(const Space& space) {
  std::vector<Symbol> found;
  for (const Factor& factor : space.factors()) {
    for (const Piece& piece : factor.pieces) {
      if (piece.carrier == Carrier::real)
        found.insert(found.end(), piece.functions.begin(), piece.functions.end());
    }
  }
  return found;
}

/// −L at rest. Energy that a constraint feeds in or takes out reappears as a power of e^V: a thermostat's.
Expr potential_energy(const System& system) {
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  return -substitute(system.lagrangian, rest);
}

}  // namespace

std::optional<StateDensity> state_density(const System& system) {
  const EquationsOfMotion motion = gibbs_appell_equations(system);
  const SymbolMap rates = along(system, motion);
  const Expr theta = divergence_of(system, motion);
  std::vector<Expr> logarithms;
  for (const Expr f : divisors(motion)) logarithms.push_back(log(f));
  for (const Symbol q : coordinates_of_lines(system.space)) logarithms.emplace_back(q);
  const Expr V = potential_energy(system);
  if (!is_constant(V) && !angle_of_several_values(system.space, V)) logarithms.push_back(V);
  for (const Symbol z : motion.speeds) logarithms.emplace_back(z);
  const int n = static_cast<int>(logarithms.size());
  Matrix columns(1, n), right(1, 1);
  const std::vector<Expr> slopes = derivative_along(logarithms, rates);
  for (int i = 0; i < n; ++i) columns(0, i) = slopes[static_cast<std::size_t>(i)];
  right[0] = -theta;
  std::vector<Expr> k;
  if (!vanishes_at_random_points(theta)) {
    if (n == 0) return std::nullopt;
    const auto c = constant_combination(columns, right);
    if (!c) return std::nullopt;
    k = *c;
  }
  StateDensity found{1, {}, {}};
  for (std::size_t i = 0; i < k.size(); ++i) {
    const Expr g = logarithms[i];
    found.rho *= is_call_of(g, Builtin::log) ? pow(g.args()[0], k[i]) : exp(k[i] * g);
  }
  const Verdict holds = is_zero(derivative_along(found.rho, rates) + found.rho * theta);
  const auto* yes = std::get_if<Proved>(&holds);
  if (yes == nullptr) return std::nullopt;
  found.evidence = yes->why;
  found.rho = short_form(found.rho);
  for (const Symbol q : motion.configuration) found.variables.push_back(q.name());
  for (const Symbol z : motion.speeds) found.variables.push_back(z.name());
  return found;
}

}  // namespace rattleback
