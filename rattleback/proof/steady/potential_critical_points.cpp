#include <rattleback/proof/steady/potential_critical_points.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/motion/velocities/time_dependence.hpp>
#include <rattleback/proof/evidence/random_newton.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

/// Rest is where (O.16) holds: every function is a coordinate, every constraint one of positions, and nothing but V pulls.
bool has_potential_alone(const System& system) {
  const auto functions = system.space.functions();
  return functions.size() == static_cast<std::size_t>(system.space.dimension()) && system.functions.empty() &&
         !contains_time(system) &&
         std::all_of(functions.begin(), functions.end(),
                     [](Symbol q) { return q.role() == Role::coordinate; }) &&
         std::all_of(system.forces.begin(), system.forces.end(), [](Expr f) { return f.is_zero(); }) &&
         std::all_of(system.constraints.begin(), system.constraints.end(),
                     [](const Constraint& c) { return c.position.has_value(); });
}

/// (O.16).
NewtonSearch critical_points(const System& system) {
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  Expr function = -substitute(system.lagrangian, rest);
  NewtonSearch search{{}, {}, parameter_numbers(system)};
  search.unknowns.assign(system.space.functions().begin(), system.space.functions().end());
  const std::vector<Symbol> coordinates = search.unknowns;
  for (const Constraint& c : system.constraints) {
    const Symbol lambda =
        Symbol::make(fmt::format("lambda{}", search.equations.size() + 1), {.role = Role::multiplier});
    function = function + Expr(lambda) * *c.position;
    search.equations.push_back(*c.position);
    search.unknowns.push_back(lambda);
  }
  for (const Expr e : gradient(function, coordinates)) search.equations.push_back(e);
  // Coordinates that occur nowhere may have any value: 0.
  std::erase_if(search.unknowns, [&](Symbol q) {
    const bool occurs =
        std::any_of(search.equations.begin(), search.equations.end(), [&](Expr e) { return contains(e, q); });
    if (!occurs) search.known.emplace(q, 0);
    return !occurs;
  });
  return search;
}

/// Coordinates that are angles without being declared so, within one turn: where a whole turn leads to another solution.
Numbers within_a_turn(const NewtonSearch& search, const std::vector<Symbol>& coordinates, Numbers state) {
  constexpr double turn = 2 * std::numbers::pi, small = 1e-6;
  for (const Symbol q : coordinates) {
    Numbers other = state;
    double& x = other[q];
    x = std::remainder(x, turn);
    if (x < small - std::numbers::pi) x += turn;
    const std::vector<double> rest = evaluate(search.equations, other);
    if (std::all_of(rest.begin(), rest.end(), [](double r) { return std::abs(r) < small; })) state = other;
  }
  return state;
}

}  // namespace

std::vector<Numbers> potential_critical_points(const System& system, const SolvedVelocities& v) try {
  if (!has_potential_alone(system)) return {};
  const NewtonSearch search = critical_points(system);
  if (std::all_of(search.equations.begin(), search.equations.end(), [](Expr e) { return e.is_zero(); }))
    return {};
  const ProjectedMotion motion = projected_motion(system, v);
  std::vector<Numbers> found;
  const auto functions = system.space.functions();
  for (const Numbers& solution : newton_solutions(search)) {
    Numbers state = within_a_turn(search, {functions.begin(), functions.end()}, solution);
    for (const Symbol z : v.speeds) state[z] = 0;
    if (is_regular_state(motion, state)) found.push_back(std::move(state));
  }
  return found;
} catch (const OutOfDomain&) {
  return {};  // a function without values
}

}  // namespace rattleback
