#include <rattleback/proof/evidence/total_derivative.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/geometry/one_form.hpp>
#include <rattleback/geometry/periodicity.hpp>

namespace rattleback {

namespace {

/// ∂e/∂v at v = 0.
OneForm linear_terms(const Space& space, Expr e) {
  SymbolMap rest;
  for (const Symbol s : space.velocities()) rest.emplace(s, Expr(0));
  return {space, substitute(gradient(e, space.velocities()), rest)};
}
/// A, the linear terms of L.
OneForm linear_terms(const System& system) { return linear_terms(system.space, system.lagrangian); }

bool vanishes(const OneForm& A) {
  return std::all_of(A.coefficients().begin(), A.coefficients().end(), [](Expr e) { return e.is_zero(); });
}

/// dA(X_i, X_j).
Expr exterior(const OneForm& A, int i, int j) {
  const Space& space = A.space();
  std::vector<Expr> terms{space.derivative(i, A[j]), -space.derivative(j, A[i])};
  for (int k = 0; k < space.dimension(); ++k) terms.push_back(-space.c()(i, j, k) * A[k]);
  return sum(terms);
}

bool depends_on_time(const OneForm& A, Symbol time) {
  return std::ranges::any_of(A.coefficients(), [&](Expr e) { return contains(e, time); });
}

/// Those of dA(X_i, X_j) that are not zero.
std::vector<Expr> curl(const OneForm& A) {
  std::vector<Expr> found;
  for (int i = 0; i < A.space().dimension(); ++i) {
    for (int j = 0; j < i; ++j) {
      const Expr e = exterior(A, i, j);
      if (!vanishes_at_random_points(e)) found.push_back(e);
    }
  }
  return found;
}

bool is_closed(const OneForm& A, Symbol time) { return !depends_on_time(A, time) && curl(A).empty(); }

/// L − A(v).
System without(const OneForm& A, System system) {
  const auto v = system.space.velocities();
  std::vector<Expr> terms{system.lagrangian};
  for (int i = 0; i < system.space.dimension(); ++i) terms.push_back(-A[i] * v[static_cast<std::size_t>(i)]);
  system.lagrangian = sum(terms);
  if (written_size(system.lagrangian) <= legible::in_data.count)
    system.lagrangian = short_form(system.lagrangian);  // what cancels names no coordinate
  return system;
}

}  // namespace

std::optional<System> without_total_derivative(const System& system) {
  const OneForm A = linear_terms(system);
  if (vanishes(A) || !is_closed(A, system.time)) return std::nullopt;
  return without(A, system);
}

std::optional<System> with_fixed_gauge(const System& system) {
  try {
    const OneForm A = linear_terms(system);
    if (!depends_on_time(A, system.time)) return std::nullopt;
    OneForm rate(system.space), moving(system.space);
    for (int i = 0; i < system.space.dimension(); ++i) {
      rate[i] = derivative(A[i], system.time);
      moving[i] = A[i] - substitute(A[i], {{system.time, Expr(0)}});
    }
    if (!curl(rate).empty()) return std::nullopt;
    const auto h = potential(rate);
    if (!h || angle_of_several_values(system.space, *h)) return std::nullopt;
    System fixed = without(moving, system);
    fixed.lagrangian = short_form(fixed.lagrangian - *h);
    fixed.kinetic = fixed.potential = std::nullopt;
    return fixed;
  } catch (const OutOfDomain&) {  // a Lagrangian that is singular at rest, or at the time 0
    return std::nullopt;
  }
}

bool is_total_derivative(const System& system, Expr e) {
  try {
    const OneForm A = linear_terms(system.space, e);
    const auto v = system.space.velocities();
    std::vector<Expr> rest{e};
    for (int i = 0; i < system.space.dimension(); ++i) rest.push_back(-A[i] * v[static_cast<std::size_t>(i)]);
    return vanishes_at_random_points(sum(rest)) && is_closed(A, system.time);
  } catch (const OutOfDomain&) {
    return false;
  }
}

std::optional<System> with_gyroscopic_forces(const System& system) {
  try {
    const OneForm A = linear_terms(system);
    if (vanishes(A)) return std::nullopt;
    System forced = without(A, system);
    const int n = system.space.dimension();
    forced.forces.resize(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) {
      std::vector<Expr> terms{forced.forces[static_cast<std::size_t>(i)], -derivative(A[i], system.time)};
      for (int j = 0; j < n; ++j) {
        const Expr B = exterior(A, i, j);
        if (!vanishes_at_random_points(B))
          terms.push_back(short_form(B) * system.space.velocities()[static_cast<std::size_t>(j)]);
      }
      forced.forces[static_cast<std::size_t>(i)] = sum(terms);
    }
    return forced;
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

namespace {

/// F(q) = Q at v = 0.
OneForm forces_at_rest(const System& system) {
  SymbolMap rest;
  for (const Symbol s : system.space.velocities()) rest.emplace(s, Expr(0));
  std::vector<Expr> F = substitute(system.forces, rest);
  F.resize(static_cast<std::size_t>(system.space.dimension()));
  return {system.space, std::move(F)};
}

}  // namespace

std::vector<Expr> curl_of_forces(const System& system) {
  try {
    const OneForm F = forces_at_rest(system);
    return depends_on_time(F, system.time) ? std::vector<Expr>{} : curl(F);
  } catch (const OutOfDomain&) {  // forces that are singular at rest
    return {};
  }
}

std::optional<System> with_potentials_of_forces(const System& system) {
  try {
    const OneForm F = forces_at_rest(system);
    if (vanishes(F) || !is_closed(F, system.time)) return std::nullopt;
    const auto f = potential(F);
    if (!f || angle_of_several_values(system.space, *f)) return std::nullopt;
    System moved = system;
    moved.lagrangian = system.lagrangian + *f;
    moved.kinetic = moved.potential = std::nullopt;
    for (std::size_t i = 0; i < moved.forces.size(); ++i)
      moved.forces[i] = short_form(moved.forces[i] - F[static_cast<int>(i)]);
    return moved;
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

std::optional<System> with_potential_as_force(const System& system) {
  try {
    const OneForm F = forces_at_rest(system);
    if (vanishes(F) || (!depends_on_time(F, system.time) && curl(F).empty())) return std::nullopt;
    SymbolMap rest;
    for (const Symbol s : system.space.velocities()) rest.emplace(s, Expr(0));
    const Expr minus_V = substitute(system.lagrangian, rest);
    const OneForm force = differential(system.space, minus_V);
    if (std::ranges::all_of(force.coefficients(), [](Expr e) { return vanishes_at_random_points(e); }))
      return std::nullopt;
    System moved = system;
    moved.lagrangian = short_form(system.lagrangian - minus_V);
    moved.kinetic = moved.potential = std::nullopt;
    moved.forces.resize(force.coefficients().size());
    for (std::size_t i = 0; i < moved.forces.size(); ++i)
      moved.forces[i] = short_form(moved.forces[i] + force[static_cast<int>(i)]);
    return moved;
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

}  // namespace rattleback
