#include <rattleback/proof/evidence/total_derivative.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

namespace {

/// A = ∂L/∂v at v = 0.
OneForm linear_terms(const System& system) {
  SymbolMap rest;
  for (const Symbol s : system.space.velocities()) rest.emplace(s, Expr(0));
  return {system.space, substitute(gradient(system.lagrangian, system.space.velocities()), rest)};
}

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
  if (vanishes(A)) return std::nullopt;
  for (int i = 0; i < system.space.dimension(); ++i) {
    if (contains(A[i], system.time)) return std::nullopt;
    for (int j = 0; j < i; ++j)
      if (!vanishes_at_random_points(exterior(A, i, j))) return std::nullopt;
  }
  return without(A, system);
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

}  // namespace rattleback
