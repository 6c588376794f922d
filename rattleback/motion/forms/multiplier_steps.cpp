#include <rattleback/motion/forms/multiplier_steps.hpp>

#include <rattleback/motion/equations/multiplier_symbols.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

const Constraint& constraint_of(const System& system, const ConstraintRows& rows, int s) {
  return system.constraints[static_cast<std::size_t>(rows.independent[static_cast<std::size_t>(s)])];
}

/// "R_x" for x' and "R_Omega1" for Omega1.
std::vector<Statement> reactions_named(const Space& space, const Matrix& values) {
  std::vector<Statement> lines;
  for (int i = 0; i < space.dimension(); ++i) {
    std::string name = space.velocities()[i].name();
    if (name.ends_with('\'')) name.pop_back();
    lines.push_back({"R_" + name, values[i]});
  }
  return lines;
}

}  // namespace

std::vector<Step> multiplier_steps(const System& system, const ConstraintRows& rows) {
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix a = acceleration_symbols(system.space), lambda = multiplier_symbols(system, rows);
  std::vector<Step> steps;
  steps.push_back({"Lagrange's equations",
                   "R_i = d/dt dL/dv^i - dL/dq^i - Q_i is the reaction of the constraints",
                   reactions_named(system.space, lagrange.mass * a - lagrange.force)});
  if (rows.a.rows() == 0) return steps;
  steps.push_back({"Reactions do no work on admissible velocities",
                   rows.linear ? "R_i = lambda dC/dv^i" : "R_i = lambda dC/dv^i [Chetaev]",
                   reactions_named(system.space, transpose(rows.a) * lambda)});
  Step differentiated{"The constraints, differentiated", "they stay satisfied, so these vanish", {}};
  const Matrix rates = rows.a * a + rows.c;
  for (int s = 0; s < rates.rows(); ++s) {
    const Constraint& constraint = constraint_of(system, rows, s);
    differentiated.lines.push_back({constraint.name + (constraint.position ? "''" : "'"), rates[s]});
  }
  steps.push_back(std::move(differentiated));
  return steps;
}

}  // namespace rattleback
