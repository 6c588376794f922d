#include <rattleback/view/vectors/rolled_wheels.hpp>

#include <algorithm>
#include <optional>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/system/velocity_rows.hpp>
#include <rattleback/view/vectors/covariant_fit.hpp>

namespace rattleback {
namespace {

bool is_constant(Expr e) {
  return std::ranges::all_of(symbols_of(e), [](Symbol s) { return s.role() == Role::parameter; });
}

bool occurs(Expr e, Symbol s) {
  const std::vector<Symbol> all = symbols_of(e);
  return std::ranges::find(all, s) != all.end();
}

Expr slope(Expr e, Symbol s) {
  const std::vector<Symbol> one{s};
  return gradient(e, one)[0];
}

/// The wheel whose angle is the coordinate of leg i, and which constraint rolls it.
struct Found {
  RolledWheel wheel;
  std::size_t constraint = 0;
};

std::optional<Found> wheel_of_leg(const System& system, int i) {
  const auto q = system.space.coordinate(i);
  if (!q) return std::nullopt;
  const Symbol v = system.space.velocities()[static_cast<std::size_t>(i)];
  if (occurs(system.lagrangian, *q)) return std::nullopt;
  for (std::size_t j = 0; j < system.forces.size(); ++j)
    if (occurs(system.forces[j], *q) || (static_cast<int>(j) != i && occurs(system.forces[j], v)))
      return std::nullopt;
  std::optional<std::size_t> rolls;
  for (std::size_t s = 0; s < system.constraints.size(); ++s) {
    const Expr C = system.constraints[s].expression;
    if (occurs(C, *q)) return std::nullopt;
    if (!occurs(C, v)) continue;
    if (rolls) return std::nullopt;
    rolls = s;
  }
  if (!rolls) return std::nullopt;
  const Expr C = system.constraints[*rolls].expression, factor = slope(C, v);
  const Expr momentum = slope(system.lagrangian, v), J = short_form(slope(momentum, v));
  if (!is_constant(factor) || !is_constant(J) || !vanish_at_random_states(Matrix{{momentum - J * v}}))
    return std::nullopt;
  const Expr rest = substitute(C, SymbolMap{{v, Expr(0)}});
  return Found{{*q, v, -rest / factor, J, system.forces[static_cast<std::size_t>(i)]}, *rolls};
}

/// Rows that the ones before them imply are left out.
void drop_implied(System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  if (functions.empty() || !std::ranges::all_of(rows.affine, [](bool affine) { return affine; })) return;
  std::vector<Constraint> kept;
  for (const int k : independent_rows(rows.a))
    kept.push_back(system.constraints[static_cast<std::size_t>(k)]);
  system.constraints = std::move(kept);
}

}  // namespace

WithoutWheels without_wheels(const System& system) {
  WithoutWheels found{system, {}, {}};
  if (system.parametrization) return found;
  std::vector<bool> rolled(system.constraints.size(), false);
  std::vector<Factor> factors;
  std::vector<Expr> forces;
  int leg = 0;
  for (const Factor& factor : system.space.factors()) {
    const auto wheel = factor.velocities.size() == 1 ? wheel_of_leg(system, leg) : std::nullopt;
    if (wheel && !rolled[wheel->constraint]) {
      rolled[wheel->constraint] = true;
      found.wheels.push_back(wheel->wheel);
    } else {
      factors.push_back(factor);
      for (std::size_t k = 0; k < factor.velocities.size(); ++k)
        forces.push_back(system.forces[static_cast<std::size_t>(leg) + k]);
    }
    leg += static_cast<int>(factor.velocities.size());
  }
  if (found.wheels.empty()) return found;
  SymbolMap at_rest;
  for (const RolledWheel& wheel : found.wheels) at_rest.emplace(wheel.velocity, Expr(0));
  System& links = found.system;
  links.space = Space(std::move(factors));
  links.forces = std::move(forces);
  links.lagrangian = substitute(system.lagrangian, at_rest);
  links.velocities.clear();
  links.constraints.clear();
  for (std::size_t s = 0; s < rolled.size(); ++s)
    if (!rolled[s]) links.constraints.push_back(system.constraints[s]);
  drop_implied(links);
  Expr rest = system.lagrangian - links.lagrangian;
  for (const RolledWheel& wheel : found.wheels)
    rest = rest - wheel.inertia * wheel.velocity * wheel.velocity / 2;
  found.defects.push_back(rest);
  return found;
}

}  // namespace rattleback
