#pragma once
// The principles themselves, as residuals: what every form of the equations of motion has to make zero.

#include <string>
#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/equations/equations.hpp>
#include <rattleback/motion/forms/formalism.hpp>

namespace rattleback::inline tests {

/// A formula in the names of the model and of the state (p_u, mu_blade, …).
inline Expr formula(const System& system, const EquationsOfMotion& equations, const std::string& text) {
  Scope scope = system.scope;
  for (const Symbol s : equations.speeds) scope.define(s.name(), Expr(s));
  return parse(text, scope);
}

/// Is the rate of a state variable what the text says?
inline bool has_rate(const System& system, const EquationsOfMotion& equations, const std::string& name,
                     const std::string& text) {
  return proved(are_equal(equations.rate(name), formula(system, equations, text)));
}

inline bool all_vanish(const std::vector<Expr>& es) { return proved(is_zero(es)); }
inline bool some_do_not_vanish(const std::vector<Expr>& es) { return refuted(is_zero(es)); }

/// d/dt along the equations.
inline SymbolMap motion_of(const System& system, const EquationsOfMotion& equations) {
  SymbolMap rates{{system.time, Expr(1)}};
  for (std::size_t i = 0; i < equations.configuration.size(); ++i)
    rates.emplace(equations.configuration[i], equations.configuration_rates[i]);
  for (std::size_t a = 0; a < equations.speeds.size(); ++a)
    rates.emplace(equations.speeds[a], equations.speed_rates[a]);
  return rates;
}

/// E_i(L) − Q_i = d/dt ∂L/∂v^i − X_i L + C_il^m v^l ∂L/∂v^m − Q_i along the equations, for every leg.
inline std::vector<Expr> lagrange_residuals(const System& system, Expr lagrangian,
                                            const EquationsOfMotion& equations) {
  const Space& Q = system.space;
  const SymbolMap& psi = equations.velocities;
  const std::vector<Expr> p = substitute(gradient(lagrangian, Q.velocities()), psi);
  const std::vector<Expr> p_dot = derivative_along(p, motion_of(system, equations));
  std::vector<Expr> residuals;
  for (int i = 0; i < Q.dimension(); ++i) {
    std::vector<Expr> terms{p_dot[static_cast<std::size_t>(i)],
                            -substitute(Q.derivative(i, lagrangian), psi)};
    if (!system.forces.empty()) terms.push_back(-substitute(system.forces[static_cast<std::size_t>(i)], psi));
    for (int l = 0; l < Q.dimension(); ++l) {
      for (int m = 0; m < Q.dimension(); ++m) {
        if (!Q.c()(i, l, m).is_zero())
          terms.push_back(Q.c()(i, l, m) * psi.at(Q.velocities()[static_cast<std::size_t>(l)]) *
                          p[static_cast<std::size_t>(m)]);
      }
    }
    residuals.push_back(sum(terms));
  }
  return residuals;
}

/// C^a at the velocities of the equations, and f' − v^i X_i f for every function of the configuration.
inline std::vector<Expr> constraint_residuals(const System& system, const EquationsOfMotion& equations) {
  std::vector<Expr> residuals;
  for (const Constraint& c : system.constraints)
    residuals.push_back(substitute(c.expression, equations.velocities));
  for (std::size_t i = 0; i < equations.configuration.size(); ++i) {
    const Expr rate = system.space.motion().at(equations.configuration[i]);
    residuals.push_back(equations.configuration_rates[i] - substitute(rate, equations.velocities));
  }
  return residuals;
}

/// d'Alembert's principle: (E_i(L) − Q_i) δq^i = 0 for every admissible δq, Chetaev's for nonlinear constraints.
inline std::vector<Expr> dalembert_residuals(const System& system, const EquationsOfMotion& equations) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const Matrix slopes = substitute(jacobian(functions, system.space.velocities()), equations.velocities);
  const Matrix virtual_displacements = kernel(slopes).basis;
  const Matrix E = Matrix::column(lagrange_residuals(system, system.lagrangian, equations));
  std::vector<Expr> residuals = constraint_residuals(system, equations);
  for (int a = 0; a < virtual_displacements.columns(); ++a)
    residuals.push_back(dot(E, virtual_displacements.column(a)));
  return residuals;
}

/// Hamilton's principle among admissible curves: E_i(L − μ_a C^a) = Q_i for every leg, and C^a = 0.
inline std::vector<Expr> variational_residuals(const System& system, const EquationsOfMotion& equations) {
  std::vector<Expr> terms{system.lagrangian};
  for (const Constraint& c : system.constraints) {
    for (const Symbol s : equations.speeds) {
      if (s.name() == "mu_" + c.name) terms.push_back(-(s * c.expression));
    }
  }
  std::vector<Expr> residuals = lagrange_residuals(system, sum(terms), equations);
  for (const Expr e : constraint_residuals(system, equations)) residuals.push_back(e);
  return residuals;
}

/// The motion in every form that applies and describes it.
inline std::vector<EquationsOfMotion> every_form(const System& system) {
  std::vector<EquationsOfMotion> forms;
  for (const Formalism& f : all_formalisms()) {
    try {
      if (f.agrees) forms.push_back(f.derive(system));
    } catch (const Error&) {
      continue;  // the form does not apply
    }
  }
  return forms;
}

}  // namespace rattleback::inline tests
