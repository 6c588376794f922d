#include <rattleback/proof/hamiltonian/fibre_gauge.hpp>

#include <algorithm>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/antiderivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/motion/forms/splitting.hpp>

namespace rattleback {
namespace {

/// A_s, the coefficient of ṡ at rest.
Expr linear_term(const System& system, int leg) {
  SymbolMap rest;
  for (const Symbol v : system.space.velocities()) rest.emplace(v, Expr(0));
  return substitute(derivative(system.lagrangian, system.space.velocities()[static_cast<std::size_t>(leg)]),
                    rest);
}

bool changes_along(const System& system, int leg) {
  return !vanishes_at_random_points(system.space.derivative(leg, system.lagrangian));
}

/// μ with ∂_j μ = −B(∂_s, X_j), B = dA. The legs commute with ∂_s.
std::optional<Expr> momentum_in_field(const System& system, int s) {
  const Space& space = system.space;
  OneForm slopes(space);
  for (int j = 0; j < space.dimension(); ++j)
    slopes[j] =
        short_form(space.derivative(j, linear_term(system, s)) - space.derivative(s, linear_term(system, j)));
  const bool none = std::ranges::all_of(slopes.coefficients(), [](Expr e) { return e.is_zero(); });
  return none ? std::optional(Expr(0)) : potential(slopes);
}

/// L − d/dt f with ∂f/∂s = A_s − μ.
std::optional<System> invariant_along(const System& system, int s) {
  const auto q = system.space.coordinate(s);
  const auto mu = q ? momentum_in_field(system, s) : std::nullopt;
  if (!mu || angle_of_several_values(system.space, *mu)) return std::nullopt;
  const auto f = antiderivative(short_form(linear_term(system, s) - *mu), *q);
  if (!f) return std::nullopt;
  const Expr rate = system.space.rate(*f);
  if (angle_of_several_values(system.space, rate)) return std::nullopt;
  System changed = system;
  changed.lagrangian = short_form(system.lagrangian - rate);
  changed.kinetic = changed.potential = std::nullopt;
  return changes_along(changed, s) ? std::nullopt : std::optional(std::move(changed));
}

std::optional<System> invariant_along(const System& system, const std::vector<int>& fibre) {
  System changed = system;
  for (const int s : fibre) {
    if (!changes_along(changed, s)) continue;
    auto next = invariant_along(changed, s);
    if (!next) return std::nullopt;
    changed = std::move(*next);
  }
  return is_chaplygin_fibre(changed, fibre) ? std::optional(std::move(changed)) : std::nullopt;
}

bool has_linear_terms(const System& system) {
  for (int i = 0; i < system.space.dimension(); ++i) {
    if (!vanishes_at_random_points(linear_term(system, i))) return true;
  }
  return false;
}

}  // namespace

std::optional<System> in_fibre_gauge(const System& system) {
  try {
    if (system.constraints.empty() || !has_linear_terms(system)) return std::nullopt;
    const std::vector<std::vector<int>> choices = fibre_choices(system);
    const auto is_fibre = [&](const std::vector<int>& fibre) { return is_chaplygin_fibre(system, fibre); };
    if (std::ranges::any_of(choices, is_fibre)) return std::nullopt;
    for (const std::vector<int>& fibre : choices) {
      if (auto changed = invariant_along(system, fibre)) return changed;
    }
  } catch (const OutOfDomain&) {  // singular at rest, or constraints that are not linear
  }
  return std::nullopt;
}

}  // namespace rattleback
