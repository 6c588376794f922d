#include <rattleback/motion/velocities/lagrange.hpp>

namespace rattleback {
namespace {

/// X_i f for all i, from one reverse sweep over f.
std::vector<Expr> along_legs(const Space& space, Expr f) {
  const auto functions = space.functions();
  const std::vector<Expr> slopes = gradient(f, functions);
  std::vector<Expr> out;
  for (int i = 0; i < space.dimension(); ++i) {
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < functions.size(); ++k) {
      const auto moved = space.leg(i).find(functions[k]);
      if (moved != space.leg(i).end()) terms.push_back(moved->second * slopes[k]);
    }
    out.push_back(sum(terms));
  }
  return out;
}

/// C_il^m v^l p_m for all i.
std::vector<Expr> bracket_forces(const Space& space, std::span<const Expr> p) {
  const int n = space.dimension();
  std::vector<Expr> out(static_cast<std::size_t>(n));
  if (space.c().all_zero()) return out;
  for (int i = 0; i < n; ++i) {
    std::vector<Expr> terms;
    for (int l = 0; l < n; ++l) {
      for (int m = 0; m < n; ++m) {
        const Expr c = space.c()(i, l, m);
        if (!c.is_zero()) terms.push_back(c * space.velocities()[l] * p[m]);
      }
    }
    out[i] = sum(terms);
  }
  return out;
}

}  // namespace

std::vector<Expr> rates_at_constant_velocity(const System& system, std::span<const Expr> fs) {
  SymbolMap ahead = system.space.motion();
  ahead.emplace(system.time, Expr(1));
  return derivative_along(fs, ahead);
}

LagrangeEquations lagrange_equations(const System& system, Expr lagrangian, std::span<const Expr> forces) {
  const Space& space = system.space;
  const std::vector<Expr> p = gradient(lagrangian, space.velocities());
  const std::vector<Expr> drift = rates_at_constant_velocity(system, p), pull = along_legs(space, lagrangian),
                          twist = bracket_forces(space, p);
  LagrangeEquations equations{jacobian(p, space.velocities()), Matrix(space.dimension(), 1)};
  for (int i = 0; i < space.dimension(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    equations.force[i] = sum({pull[k], -twist[k], k < forces.size() ? forces[k] : Expr(0), -drift[k]});
  }
  return equations;
}

LagrangeEquations lagrange_equations(const System& system) {
  return lagrange_equations(system, system.lagrangian, system.forces);
}

std::vector<Expr> constraint_functions(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  return functions;
}

}  // namespace rattleback
