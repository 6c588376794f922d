#include <rattleback/motion/equations/kinematics.hpp>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/velocities/frame_poles.hpp>

namespace rattleback {

EquationsOfMotion kinematics(const System& system, const Admissible& D, const std::string& form) {
  EquationsOfMotion equations;
  equations.form = form;
  equations.configuration.assign(system.space.functions().begin(), system.space.functions().end());
  const VectorField V = D.velocity();
  for (const Symbol f : equations.configuration)
    equations.configuration_rates.push_back(short_rate(f, V(Expr(f))));
  equations.speeds = D.speeds;
  equations.velocities = D.substitution();
  equations.speed_definitions = D.definitions;
  equations.where = D.where;
  const Assumptions poles = poles_of(D);
  equations.where.insert(equations.where.end(), poles.begin(), poles.end());
  return equations;
}

Inapplicable needs_linear_constraints(const NonlinearConstraint& nonlinear) {
  Inapplicable refusal("form-does-not-apply",
                       "this form needs constraints that are linear or affine in the velocities",
                       nonlinear.summary, "use `multipliers` or `gibbs-appell`");
  for (const Place& place : nonlinear.where) refusal.at(place);
  return refusal;
}

Admissible linear_velocities(const System& system) {
  try {
    return admissible_velocities(system);
  } catch (const NonlinearConstraint& error) {
    throw needs_linear_constraints(error);
  }
}

std::vector<Expr> forces_on(const System& system, const SymbolMap& psi) {
  std::vector<Expr> forces = substitute(system.forces, psi);
  forces.resize(static_cast<std::size_t>(system.space.dimension()));
  return forces;
}

std::vector<Expr> momenta_on(const System& system, const SymbolMap& psi) {
  return substitute(gradient(system.lagrangian, system.space.velocities()), psi);
}

std::string leg_name(const Space& space, int i) {
  if (const auto q = space.coordinate(i)) return q->name();
  return space.velocities()[static_cast<std::size_t>(i)].name();
}

Symbol momentum_of(Symbol speed) {
  std::string name = speed.name();
  while (name.ends_with("'")) name.pop_back();
  return Symbol::make("p_" + name, {.role = Role::momentum, .order = speed.attributes().order});
}

}  // namespace rattleback
