#include <rattleback/proof/variational/separated_lagrangian.hpp>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>

namespace rattleback {
namespace {

Expr inertia_of(const SymbolMap& inertia, Symbol q) {
  const auto known = inertia.find(q);
  return known == inertia.end() ? Expr(1) : known->second;
}

/// p q̇ − L at p = ∂L/∂q̇ is H.
Verdict is_legendre_transform(const SecondOrderSystem& s, const std::vector<Symbol>& momenta, Expr L,
                              Expr H) {
  const std::vector<Expr> p = gradient(L, s.v);
  SymbolMap at;
  std::vector<Expr> energy{-L};
  for (std::size_t i = 0; i < s.v.size(); ++i) {
    at.emplace(momenta[i], p[i]);
    energy.push_back(p[i] * s.v[i]);
  }
  return are_equal(substitute(H, at), sum(energy));
}

}  // namespace

std::optional<SeparatedLagrangian> separated_lagrangian(const Chaplygin& reduction,
                                                        const SecondOrderSystem& s,
                                                        const DecoupledLagrangian& L,
                                                        const SymbolMap& inertia) {
  const auto clock = static_cast<std::size_t>(L.clock);
  for (const int b : L.others) {
    const auto at = static_cast<std::size_t>(b);
    if (!vanishes_at_random_points(s.f[at])) continue;
    const Expr I = inertia_of(inertia, s.q[clock]), I_b = inertia_of(inertia, s.q[at]), u = s.v[clock];
    std::vector<Expr> rest{Expr(0)}, squares{L.momenta[clock]};
    for (std::size_t k = 0; k < L.others.size(); ++k) {
      if (L.others[k] == b) continue;
      const auto a = static_cast<std::size_t>(L.others[k]);
      rest.push_back(Expr(L.constants[k]) * pow(Expr(s.v[a]), 2) / (2 * L.scales[k] * u));
      squares.push_back(L.scales[k] * pow(Expr(L.momenta[a]), 2) / (2 * Expr(L.constants[k])));
    }
    SeparatedLagrangian x;
    x.uniform = b;
    x.lagrangian = I * pow(u, 2) / 2 + I_b * pow(Expr(s.v[at]), 2) / 2 + sum(rest);
    x.hamiltonian = pow(Expr(L.momenta[at]), 2) / (2 * I_b) + pow(sum(squares), 2) / (2 * I);
    x.is_lagrangian = is_lagrangian(s, x.lagrangian);
    x.legendre = is_legendre_transform(s, L.momenta, x.lagrangian, x.hamiltonian);
    SymbolMap velocities;
    for (std::size_t i = 0; i < s.v.size(); ++i)
      velocities.emplace(s.v[i], derivative(x.hamiltonian, L.momenta[i]));
    for (const Constraint& c : reduction.system.constraints)
      x.submanifold.push_back(short_form(substitute(c.expression, velocities)));
    return x;
  }
  return std::nullopt;
}

}  // namespace rattleback
