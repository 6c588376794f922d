#include <rattleback/proof/hamiltonian/quasi_velocity_lagrangian.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/motion/velocities/invented_symbol.hpp>

namespace rattleback {
namespace {

/// Σ_a (∂ℒ/∂ω^a)(ω^a + A^a_α ω^α).
Expr constraint_part(const Chaplygin& c, Expr lagrangian, const std::vector<Symbol>& omega) {
  const Connection& w = c.form.constraints.connection;
  std::vector<Expr> terms{Expr(0)};
  for (std::size_t a = 0; a < w.fibre().size(); ++a) {
    const Symbol fibre = omega[static_cast<std::size_t>(w.fibre()[a])];
    std::vector<Expr> phi{Expr(fibre)};
    for (std::size_t al = 0; al < w.base().size(); ++al)
      phi.push_back(w.A(static_cast<int>(a), static_cast<int>(al)) *
                    omega[static_cast<std::size_t>(w.base()[al])]);
    terms.push_back(derivative(lagrangian, fibre) * sum(phi));
  }
  return sum(terms);
}

}  // namespace

QuasiVelocityLagrangian quasi_velocity_lagrangian(const Chaplygin& c, Expr f) {
  const Space& Q = c.system.space;
  QuasiVelocityLagrangian x;
  SymbolMap scaled;
  std::vector<Symbol> q;
  for (int i = 0; i < Q.dimension(); ++i) {
    if (!Q.coordinate(i)) {
      throw Inapplicable("form-does-not-apply",
                         "the Lagrangian in quasi-velocities is written in coordinates",
                         "the reduction uses a frame that is not one of coordinates",
                         "ask it of an abelian Chaplygin system");
    }
    q.push_back(*Q.coordinate(i));
    const Symbol v = Q.velocities()[static_cast<std::size_t>(i)];
    x.omega.push_back(invented_symbol(c.system, "omega_" + q.back().name(), v.attributes()));
    scaled.emplace(v, f * Expr(x.omega.back()));
  }
  const Expr ell = substitute(c.system.lagrangian, scaled);
  x.lagrangian = short_form(ell - constraint_part(c, ell, x.omega));
  x.momenta = gradient(x.lagrangian, x.omega);

  const EquationsOfMotion motion = straight_line_equations(c.system);
  SymbolMap rates, on;  // ω = q̇/f at the velocities of the constraint
  for (std::size_t i = 0; i < motion.configuration.size(); ++i)
    rates.emplace(motion.configuration[i], motion.configuration_rates[i]);
  for (std::size_t a = 0; a < motion.speeds.size(); ++a)
    rates.emplace(motion.speeds[a], motion.speed_rates[a]);
  for (std::size_t i = 0; i < q.size(); ++i)
    on.emplace(x.omega[i], motion.velocities.at(Q.velocities()[i]) / f);
  const std::vector<Expr> p_dot = derivative_along(substitute(x.momenta, on), rates);
  const std::vector<Expr> pull = substitute(gradient(x.lagrangian, q), on);
  std::vector<Expr> residuals;
  for (std::size_t i = 0; i < q.size(); ++i) residuals.push_back(p_dot[i] - f * pull[i]);
  x.restricts = is_zero(residuals);
  return x;
}

}  // namespace rattleback
