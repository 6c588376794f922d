#include <rattleback/motion/programs/redundant_motion.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/ldlt.hpp>
#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

LDLt factorised(const Matrix& m) {
  LDLt found = ldlt(m);
  if (static_cast<int>(found.d.size()) == m.rows()) return found;
  throw degenerate_energy();
}

}  // namespace

RedundantMotion redundant_motion(const System& system) {
  const auto velocities = system.space.velocities();
  const ConstraintRows rows = constraint_rows(system);
  const LagrangeEquations lagrange = lagrange_equations(system);
  const Matrix transposed = transpose(rows.a);
  const LDLt mass = factorised(lagrange.mass + transposed * rows.a);
  const Matrix w = solve(mass, lagrange.force), X = solve(mass, transposed);
  const LDLt S = factorised(rows.a * X);
  const Matrix rates = w - X * solve(S, rows.c + rows.a * w);

  std::vector<Expr> residuals;
  const std::vector<Expr> functions = constraint_functions(system);
  for (const int s : rows.independent) residuals.push_back(functions[static_cast<std::size_t>(s)]);
  const Matrix shift = X * solve(S, Matrix::column(residuals));

  RedundantMotion motion;
  EquationsOfMotion& equations = motion.equations;
  equations.form = "multipliers";
  equations.configuration.assign(system.space.functions().begin(), system.space.functions().end());
  for (const Symbol f : equations.configuration)
    equations.configuration_rates.push_back(system.space.motion().at(f));
  equations.speeds.assign(velocities.begin(), velocities.end());
  equations.speed_rates.assign(rates.entries().begin(), rates.entries().end());
  for (std::size_t i = 0; i < velocities.size(); ++i) {
    equations.velocities.emplace(velocities[i], Expr(velocities[i]));
    equations.speed_definitions.emplace_back(velocities[i]);
    motion.projected.push_back(Expr(velocities[i]) - shift[static_cast<int>(i)]);
  }
  return motion;
}

}  // namespace rattleback
