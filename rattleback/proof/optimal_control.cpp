#include <rattleback/proof/optimal_control.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/error.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/linear_algebra.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/kinematics.hpp>
#include <rattleback/proof/vakonomic_multipliers.hpp>

namespace rattleback {

AssociatedControl associated_control(const SecondOrderSystem& s, const DecoupledLagrangian& L) {
  AssociatedControl x;
  x.rates.resize(s.q.size());
  x.optimal.resize(s.q.size());
  for (const Symbol q : s.q) x.controls.push_back(Symbol::make("u_" + q.name(), {.role = Role::velocity}));
  const auto clock = static_cast<std::size_t>(L.clock);
  const Expr u = x.controls[clock];
  SymbolMap in_controls{{s.v[clock], u}};
  x.rates[clock] = u;
  for (std::size_t k = 0; k < L.others.size(); ++k) {
    const auto a = static_cast<std::size_t>(L.others[k]);
    x.rates[a] = L.scales[k] * Expr(x.controls[a]);
    in_controls.emplace(s.v[a], x.rates[a]);
  }
  x.cost = short_form(substitute(L.lagrangian, in_controls));
  std::vector<Expr> pre{-x.cost};
  for (std::size_t i = 0; i < s.q.size(); ++i) pre.push_back(Expr(L.momenta[i]) * x.rates[i]);
  const Expr H = sum(pre);
  x.optimal[clock] = derivative(L.hamiltonian, L.momenta[clock]);
  SymbolMap at{{x.controls[clock], x.optimal[clock]}};
  for (std::size_t k = 0; k < L.others.size(); ++k) {
    const auto a = static_cast<std::size_t>(L.others[k]);
    x.optimal[a] = x.optimal[clock] * Expr(L.momenta[a]) / Expr(L.constants[k]);
    at.emplace(x.controls[a], x.optimal[a]);
  }
  x.stationary = is_zero(substitute(gradient(H, x.controls), at));
  x.hamiltonian = are_equal(substitute(H, at), L.hamiltonian);
  return x;
}

namespace {

/// z^α = G^αβ h_β for the kinetic metric on D.
Matrix raised(const System& system, const Admissible& D, const Matrix& h) {
  const Expr ell = substitute(system.lagrangian, D.substitution());
  const auto z = unique_solution(jacobian(gradient(ell, D.speeds), D.speeds), h);
  if (!z) {
    throw Error("degenerate-energy", "the Lagrangian is not regular on the constraint",
                "the cost is degenerate", "add the missing inertia, or constrain the massless direction");
  }
  return z->x;
}

}  // namespace

NormalExtremals normal_extremals(const System& system) {
  const VakonomicConditions c = vakonomic_conditions(system);
  const int m = c.D.rank(), k = c.N.rows();
  std::vector<VectorField> fields;
  for (int a = 0; a < m; ++a) fields.push_back(c.D.leg(a));
  fields.insert(fields.end(), c.complement.begin(), c.complement.end());
  const Frame frame(fields);
  const StructureCoefficients C = structure_coefficients(frame);

  NormalExtremals x;
  for (int a = 0; a < m; ++a)
    x.momenta.push_back(
        Symbol::make("h_" + momentum_of(c.D.speeds[static_cast<std::size_t>(a)]).name().substr(2),
                     {.role = Role::momentum, .order = a}));
  for (int a = 0; a < k; ++a)
    x.momenta.push_back(Symbol::make(fmt::format("k_{}", a + 1), {.role = Role::momentum, .order = m + a}));
  Matrix h(m, 1);
  for (int a = 0; a < m; ++a) h[a] = x.momenta[static_cast<std::size_t>(a)];
  const Matrix z = raised(system, c.D, h);
  x.hamiltonian = short_form(dot(h, z) / 2);
  for (const Expr e : z.entries()) x.speeds.push_back(short_form(e));

  SymbolMap in_momenta;
  for (int a = 0; a < m; ++a)
    in_momenta.emplace(c.D.speeds[static_cast<std::size_t>(a)], x.speeds[static_cast<std::size_t>(a)]);
  const VectorField V = c.D.velocity();
  for (const Symbol q : system.space.functions()) {
    x.configuration.push_back(q);
    x.configuration_rates.push_back(short_form(substitute(V(Expr(q)), in_momenta)));
  }
  const std::vector<Expr> mechanical = substitute(c.momenta, in_momenta);  // h_a of the mechanical motion
  for (int i = 0; i < m + k; ++i) {
    std::vector<Expr> terms{-frame[i](x.hamiltonian)}, off{Expr(0)};
    for (int b = 0; b < m; ++b) {
      for (int j = 0; j < m + k; ++j) {
        const Expr part = -C(i, b, j) * x.speeds[static_cast<std::size_t>(b)];
        terms.push_back(part * x.momenta[static_cast<std::size_t>(j)]);
        if (j >= m) off.push_back(part * (Expr(x.momenta[static_cast<std::size_t>(j)]) - mechanical[j - m]));
      }
    }
    x.rates.push_back(short_form(sum(terms)));
    if (i < m) x.difference.push_back(short_form(sum(off)));
  }
  return x;
}

}  // namespace rattleback
