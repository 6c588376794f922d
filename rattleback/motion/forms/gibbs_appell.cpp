#include <rattleback/motion/forms/gibbs_appell.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

/// q' and t' with v = ψ(q, z) put in.
SymbolMap motion_of(const System& system, const SymbolMap& psi) {
  SymbolMap ahead;
  for (const auto& [f, rate] : system.space.motion()) ahead.emplace(f, substitute(rate, psi));
  ahead.emplace(system.time, Expr(1));
  return ahead;
}

/// Lagrange's equations on the constraint: G ż = right, in terms of z alone.
struct Projected {
  Matrix metric;  ///< G_αβ = M_ij ψ^i_α ψ^j_β
  Matrix right;   ///< ψ^k_α (b_k − M_ki dψ^i/dt|_{ż = 0})
};
Projected projected(const System& system, const SolvedVelocities& v, const LagrangeEquations& lagrange) {
  const SymbolMap psi = v.substitution(system.space);
  const Matrix mass = substitute(lagrange.mass, psi), legs = jacobian(v.psi, v.speeds);
  const Matrix drift = Matrix::column(derivative_along(v.psi, motion_of(system, psi)));
  const Matrix lowered = transpose(legs) * mass;
  return {lowered * legs, transpose(legs) * substitute(lagrange.force, psi) - lowered * drift};
}

/// Where G is regular, which excludes every state where ∂ψ/∂z loses its rank, and where the formulas are defined.
Assumptions conditions(const SolvedVelocities& v, const Assumptions& pivots, const std::vector<Expr>& rates) {
  Assumptions where = v.where;
  where.insert(where.end(), pivots.begin(), pivots.end());
  const Assumptions divided = denominators(rates);
  where.insert(where.end(), divided.begin(), divided.end());
  return simplified(where);
}

/// The same for quasi-velocities: a metric that is definite has no poles of its own.                          (H.7)
Assumptions linear_conditions(const System& system, const SolvedVelocities& v, const Assumptions& pivots,
                              const std::vector<Expr>& rates) {
  const Admissible D = admissible_velocities(system);
  const Assumptions regular = where_regular(system, D, pivots);
  if (D.speeds != v.speeds || regular == pivots) return conditions(v, pivots, rates);
  Assumptions where = v.where;
  where.insert(where.end(), regular.begin(), regular.end());
  return simplified(where);
}

Step velocity_step(const System& system, const SolvedVelocities& v) {
  Step step{"The admissible velocities", "v = psi(q, z)", {}};
  for (int i = 0; i < system.space.dimension(); ++i)
    step.lines.push_back({system.space.velocities()[i].name(), v.psi[static_cast<std::size_t>(i)]});
  return step;
}

Step gibbs_step(const GibbsFunction& S) {
  Step step{"The Gibbs function", "dS/dz' = A for every acceleration z'", {{"S", S.value}}};
  for (std::size_t alpha = 0; alpha < S.forces.size(); ++alpha)
    step.lines.push_back({"A_" + std::to_string(alpha + 1), S.forces[alpha]});
  return step;
}

constexpr std::size_t shortened_up_to =
    search_limits::gibbs_function.count;  // nodes; a longer S* is for programs, not for people

}  // namespace

GibbsFunction gibbs_function(const System& system, const SolvedVelocities& v) {
  SymbolMap at_rest;
  for (const Symbol w : system.space.velocities()) at_rest.emplace(w, Expr(0));
  const Expr still = substitute(system.lagrangian, at_rest);
  const Projected inertia = projected(system, v, lagrange_equations(system, system.lagrangian - still, {}));
  const Projected applied = projected(system, v, lagrange_equations(system, still, system.forces));

  GibbsFunction S;
  std::vector<Expr> terms;
  for (std::size_t alpha = 0; alpha < v.speeds.size(); ++alpha) {
    S.accelerations.push_back(Symbol::make(v.speeds[alpha].name() + "'",
                                           {.role = Role::acceleration, .order = static_cast<int>(alpha)}));
    S.forces.push_back(short_form(applied.right[static_cast<int>(alpha)]));
  }
  for (int alpha = 0; alpha < inertia.metric.rows(); ++alpha) {
    const Expr z = S.accelerations[static_cast<std::size_t>(alpha)];
    terms.push_back(-inertia.right[alpha] * z);
    for (int beta = 0; beta < inertia.metric.rows(); ++beta)
      terms.push_back(inertia.metric(alpha, beta) * z * S.accelerations[static_cast<std::size_t>(beta)] / 2);
  }
  S.value = sum(terms);
  if (graph_size(std::span(&S.value, 1)) <= shortened_up_to) S.value = short_form(S.value);
  return S;
}

EquationsOfMotion gibbs_appell_equations(const System& system) {
  const SolvedVelocities v = solved_velocities(system);
  const Projected on_constraint = projected(system, v, lagrange_equations(system));
  const auto rates = short_solution(short_form(on_constraint.metric), short_form(on_constraint.right));
  if (!rates) throw degenerate_energy();

  EquationsOfMotion equations;
  equations.form = "gibbs-appell";
  equations.velocities = v.substitution(system.space);
  equations.configuration.assign(system.space.functions().begin(), system.space.functions().end());
  for (const Symbol f : equations.configuration)
    equations.configuration_rates.push_back(
        short_rate(f, substitute(system.space.motion().at(f), equations.velocities)));
  equations.speeds = v.speeds;
  equations.speed_rates = rates->rates;
  equations.speed_definitions = v.definitions;
  equations.where = constraint_rows(system).linear && v.linear
                        ? linear_conditions(system, v, rates->where, equations.speed_rates)
                        : conditions(v, rates->where, equations.speed_rates);
  equations.notes = v.notes;
  const std::vector<std::string> rules = reaction_notes(system, constraint_rows(system));
  equations.notes.insert(equations.notes.end(), rules.begin(), rules.end());

  const GibbsFunction S = gibbs_function(system, v);
  equations.gibbs = S.value;
  equations.steps = {velocity_step(system, v), gibbs_step(S)};
  return equations;
}

}  // namespace rattleback
