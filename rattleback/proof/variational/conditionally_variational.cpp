#include <rattleback/proof/variational/conditionally_variational.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_bundle.hpp>
#include <rattleback/proof/hamiltonian/subgroups.hpp>

namespace rattleback {
namespace {

std::vector<Expr> shortened(std::vector<Expr> es) {
  for (Expr& e : es) e = short_form(e);
  return es;
}

struct StrictMultipliers {
  std::vector<Expr> mu;
  std::vector<VectorField> complement;
  Verdict proof;
};

/// (C.11) for this complement of D.
std::optional<StrictMultipliers> strict_multipliers(const VakonomicConditions& c) {
  const Verdict proof = are_vakonomic_multipliers(c, c.momenta);
  if (!proved(proof)) return std::nullopt;
  return StrictMultipliers{c.momenta, c.complement, proof};
}

/// Some group of the model under which (C.11) holds, and the multipliers it gives.
std::optional<StrictMultipliers> strict_multipliers(const System& system,
                                                    const VakonomicConditions& generic) {
  std::optional<StrictMultipliers> found = strict_multipliers(generic);
  if (found) return found;
  try {
    visit_chaplygin_bundles(system, [&](const ChaplyginBundle& bundle) {
      found = strict_multipliers(vakonomic_conditions(system, from_columns(system.space, bundle.orbits)));
      return found.has_value();
    });
  } catch (const Inapplicable&) {  // not a system of this kind
  }
  return found;
}

/// Λ_αβ z^β.
std::vector<Expr> forces_of_curvature(const ChaplyginBundle& bundle) {
  const std::vector<Expr> z(bundle.D.speeds.begin(), bundle.D.speeds.end());
  return (bundle.lambda * Matrix::column(z)).entries();
}

/// Another subgroup of the symmetries under which (C.11) holds, by its name.
std::optional<std::string> strict_subgroup(const System& system) {
  try {
    const Budget budget(work_limits::variational_multipliers);
    const SubgroupSearch search = subgroup_search(system, admissible_velocities(system), forces_of_curvature);
    for (const ChaplyginBundle& bundle : search.bundles) {
      if (strict_multipliers(vakonomic_conditions(system, from_columns(system.space, bundle.orbits))))
        return bundle.group;
    }
  } catch (const Exhausted&) {
    return std::nullopt;
  } catch (const Inapplicable&) {  // not a system of this kind
  }
  return std::nullopt;
}

/// Solvable at random states: as certain as the ranks.
Verdict by_ranks() {
  return Proved{Certificate{false, 100, "ranks at random states of (C.9) and what follows from it"}, {}};
}

Verdict unsolvable(const MultiplierClosure& c, int k) {
  Counterexample at;
  at.note = c.augmented_rank == k + 1
                ? "a minor of the conditions on the multipliers is not zero"
                : "the conditions on the multipliers contradict each other at random states";
  return Refuted{at};
}

}  // namespace

ConditionallyVariational conditionally_variational(const System& system) {
  const VakonomicConditions c = vakonomic_conditions(system);
  const int k = c.N.rows();
  ConditionallyVariational x;
  x.complement = c.complement;
  const MultiplierClosure all = closure(c);
  if (!all.solvable()) {
    x.full = unsolvable(all, k);
    x.strict = false;
    x.rounds = all.rounds;
    for (const Expr e : consistency_conditions(all.s, -all.b)) {
      if (vanishes_at_random_points(e)) continue;
      x.conditions.push_back(short_form(e));
      std::vector<Expr> factors;
      for (const Assumption& f : simplified({{x.conditions.back(), Assumption::Kind::nonzero, ""}}))
        factors.push_back(f.expression);
      x.partial.push_back(factors);
    }
    return x;
  }
  const std::vector<Expr> zero(static_cast<std::size_t>(k), Expr(0));
  const Verdict no_reaction = are_vakonomic_multipliers(c, zero);
  x.zero_reaction = proved(no_reaction);
  const auto strict = strict_multipliers(system, c);
  x.strict = strict.has_value();
  if (!strict) x.strict_subgroup = strict_subgroup(system);
  if (strict) {
    x.multipliers = shortened(strict->mu);
    x.complement = strict->complement;
    x.full = strict->proof;
  } else if (x.zero_reaction) {
    x.multipliers = zero;
    x.full = no_reaction;
  } else if (all.unique) {
    x.full = are_vakonomic_multipliers(c, *all.unique);
    if (proved(x.full)) x.multipliers = shortened(*all.unique);
    if (undecided(x.full)) x.full = by_ranks();
  } else if (all.rank == 0) {  // holonomic constraints: any multipliers that solve (C.10) do
    x.full = is_zero(c.S.entries());
  } else {
    x.full = by_ranks();
  }
  return x;
}

namespace {

/// L_V of (C.12).
Expr without_constraint_part(const Chaplygin& c) {
  const Connection& w = c.form.constraints.connection;
  const auto v = c.system.space.velocities();
  std::vector<Expr> terms{c.system.lagrangian};
  for (std::size_t a = 0; a < w.fibre().size(); ++a) {
    const Symbol fibre = v[static_cast<std::size_t>(w.fibre()[a])];
    std::vector<Expr> phi{Expr(fibre)};
    for (std::size_t alpha = 0; alpha < w.base().size(); ++alpha)
      phi.push_back(w.A(static_cast<int>(a), static_cast<int>(alpha)) *
                    v[static_cast<std::size_t>(w.base()[alpha])]);
    terms.push_back(-derivative(c.system.lagrangian, fibre) * sum(phi));
  }
  return sum(terms);
}

/// p v − L at v(q, p), for L quadratic in the velocities.
std::optional<Expr> quadratic_hamiltonian(const VariationalLagrangian& x, std::span<const Symbol> v) {
  SymbolMap rest;
  for (const Symbol s : v) rest.emplace(s, Expr(0));
  const Matrix mass = jacobian(x.definitions, v);
  for (const Expr e : mass.entries()) {
    for (const Symbol s : v) {
      if (!vanishes_at_random_points(derivative(e, s))) return std::nullopt;
    }
  }
  Matrix shifted(static_cast<int>(v.size()), 1);
  for (int i = 0; i < shifted.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    shifted[i] = Expr(x.momenta[at]) - substitute(x.definitions[at], rest);
  }
  const auto solved = unique_solution(substitute(mass, rest), shifted);
  if (!solved) return std::nullopt;
  return short_form(dot(shifted, solved->x) / 2 - substitute(x.lagrangian, rest));
}

}  // namespace

VariationalLagrangian variational_lagrangian(const Chaplygin& c) {
  const Space& Q = c.system.space;
  VariationalLagrangian x;
  x.lagrangian = short_form(without_constraint_part(c));
  x.definitions = gradient(x.lagrangian, Q.velocities());
  for (const Symbol v : Q.velocities()) x.momenta.push_back(momentum_of(v));
  for (const int a : c.form.constraints.connection.fibre())
    x.vanishing.push_back(x.momenta[static_cast<std::size_t>(a)]);
  const LagrangeEquations equations = lagrange_equations(c.system, x.lagrangian, c.system.forces);
  x.determinant = short_form(determinant(equations.mass));
  x.hamiltonian = quadratic_hamiltonian(x, Q.velocities());

  const EquationsOfMotion motion =
      straight_line_equations(c.system);  // M_V v̇ = b_V at the nonholonomic accelerations
  const Matrix residual =
      substitute(equations.mass, motion.velocities) * Matrix::column(accelerations_along(c.system, motion)) -
      substitute(equations.force, motion.velocities);
  x.restricts = is_zero(residual.entries());
  return x;
}

}  // namespace rattleback
