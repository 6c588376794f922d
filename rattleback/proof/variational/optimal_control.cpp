#include <rattleback/proof/variational/optimal_control.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>
#include <rattleback/proof/variational/vakonomic_multipliers.hpp>

namespace rattleback {

namespace {

/// In short form as a whole or term by term, whichever is shorter.
Expr shorter(Expr cost) {
  const Expr whole = short_form(cost);
  if (!cost.is(Kind::sum)) return whole;
  std::vector<Expr> terms;
  for (const Expr term : cost.args()) terms.push_back(short_form(term));
  const Expr parts = sum(terms);
  return written_size(parts) < written_size(whole) ? parts : whole;
}

/// The cost is the Lagrangian at q̇ = ρ(q, u), and u* is what q̇ = ∂H/∂p asks for.
AssociatedControl control_of(const SecondOrderSystem& s, const DecoupledLagrangian& scaled, Expr lagrangian,
                             Expr hamiltonian) {
  AssociatedControl x;
  std::vector<Expr> scale(s.q.size(), Expr(1));
  for (std::size_t k = 0; k < scaled.others.size(); ++k)
    scale[static_cast<std::size_t>(scaled.others[k])] = scaled.scales[k];
  SymbolMap in_controls, at;
  for (std::size_t i = 0; i < s.q.size(); ++i) {
    x.controls.push_back(Symbol::make("u_" + s.q[i].name(), {.role = Role::velocity}));
    x.rates.push_back(scale[i] * Expr(x.controls[i]));
    x.optimal.push_back(derivative(hamiltonian, scaled.momenta[i]) / scale[i]);
    in_controls.emplace(s.v[i], x.rates[i]);
    at.emplace(x.controls[i], x.optimal[i]);
  }
  x.cost = shorter(substitute(lagrangian, in_controls));
  std::vector<Expr> pre{-x.cost};
  for (std::size_t i = 0; i < s.q.size(); ++i) pre.push_back(Expr(scaled.momenta[i]) * x.rates[i]);
  const Expr H = sum(pre);
  x.stationary = is_zero(substitute(gradient(H, x.controls), at));
  x.hamiltonian = are_equal(substitute(H, at), hamiltonian);
  return x;
}

}  // namespace

AssociatedControl associated_control(const SecondOrderSystem& s, const DecoupledLagrangian& L) {
  return control_of(s, L, L.lagrangian, L.hamiltonian);
}

AssociatedControl associated_control(const SecondOrderSystem& s, const DecoupledLagrangian& L,
                                     const SeparatedLagrangian& second) {
  return control_of(s, L, second.lagrangian, second.hamiltonian);
}

namespace {

/// z^α = G^αβ h_β for the kinetic metric on D.
Matrix raised(const System& system, const Admissible& D, const Matrix& h) {
  const Expr ell = substitute(system.lagrangian, D.substitution());
  const auto z = unique_solution(jacobian(gradient(ell, D.speeds), D.speeds), h);
  if (!z) {
    throw degenerate_energy("the cost is degenerate");
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
