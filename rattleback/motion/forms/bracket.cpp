#include <rattleback/motion/forms/bracket.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/equations/momentum_name.hpp>
#include <rattleback/motion/equations/solved_equations.hpp>
#include <rattleback/motion/velocities/definite_metric.hpp>
#include <rattleback/motion/velocities/degenerate_energy.hpp>

namespace rattleback {
namespace {

Expr pairing(const std::vector<Expr>& P, const VectorField& X) {
  return dot(Matrix::column(P), Matrix::column(X.coefficients()));
}

/// z(q, p) from p_α = G_αβ z^β + b_α.                                                                     (P.1)
std::vector<Expr> inverse_legendre(const System& system, ConstrainedBracket& b) {
  const std::vector<Symbol>& z = b.D.speeds;
  Matrix G = jacobian(b.definitions, z);
  for (Expr& e : G.entries()) e = short_form(e);
  SymbolMap rest;
  for (const Symbol s : z) rest.emplace(s, Expr(0));
  for (const Expr e : G.entries()) {
    for (const Symbol s : z) {
      if (vanishes_at_random_points(derivative(e, s))) continue;
      throw Inapplicable("form-does-not-apply", "the Legendre transform has no closed form here",
                         "the Lagrangian is not quadratic in the velocities", "use `hamel` or `multipliers`");
    }
  }
  Matrix shifted(b.D.rank(), 1);
  for (int a = 0; a < b.D.rank(); ++a)
    shifted[a] =
        b.momenta[static_cast<std::size_t>(a)] - substitute(b.definitions[static_cast<std::size_t>(a)], rest);
  const auto solved = unique_solution(substitute(G, rest), shifted);
  if (!solved) {
    throw degenerate_energy("the Legendre transform on the constraint is not invertible");
  }
  const Assumptions regular = where_regular(system, b.D, solved->where);
  b.where.insert(b.where.end(), regular.begin(), regular.end());
  std::vector<Expr> speeds;
  for (const Expr e : solved->x.entries()) speeds.push_back(short_form(e));
  return speeds;
}

/// X = X^i X_i on Q as a field on D*, with its p-components zero.
VectorField lifted(const Space& phase, const VectorField& X) {
  VectorField Z(phase);
  for (int i = 0; i < X.space().dimension(); ++i) Z[i] = X[i];
  return Z;
}

Step legendre_step(const ConstrainedBracket& b) {
  Step step{"Momenta on the constraint", "p = dL_c/dz, and the Hamiltonian H = p z - L_c", {}};
  for (std::size_t a = 0; a < b.momenta.size(); ++a)
    step.lines.push_back({b.momenta[a].name(), b.definitions[a]});
  step.lines.push_back({"H", b.hamiltonian});
  return step;
}

Step embedding_step(const ConstrainedBracket& b) {
  Step step{"The constraint in the space of all momenta", "P_i = dL/dv^i on the constraint", {}};
  for (int i = 0; i < b.D.space.dimension(); ++i)
    step.lines.push_back({"P_" + leg_name(b.D.space, i), b.embedding[static_cast<std::size_t>(i)]});
  return step;
}

Step tensor_step(const ConstrainedBracket& b) {
  Step step{"Brackets", "f' = {f, H}; those not listed vanish", {}};
  const int n = b.D.space.dimension(), r = b.D.rank();
  for (int a = 0; a < r; ++a) {
    const std::string p = b.momenta[static_cast<std::size_t>(a)].name();
    for (int i = 0; i < n; ++i) {
      if (!b.tensor(i, n + a).is_zero())
        step.lines.push_back({fmt::format("{{{}, {}}}", leg_name(b.D.space, i), p), b.tensor(i, n + a)});
    }
  }
  for (int a = 0; a < r; ++a) {
    for (int c = a + 1; c < r; ++c) {
      if (b.tensor(n + a, n + c).is_zero()) continue;
      step.lines.push_back({fmt::format("{{{}, {}}}", b.momenta[static_cast<std::size_t>(a)].name(),
                                        b.momenta[static_cast<std::size_t>(c)].name()),
                            b.tensor(n + a, n + c)});
    }
  }
  return step;
}

/// Null forms are printed as functions of the velocities: dx is written x'.
Step rank_step(const ConstrainedBracket& b) {
  Step step{"Rank and null forms", "the constraint forms are null: {., f} never leaves the constraint", {}};
  step.lines.push_back({"rank", Expr(rank(b.tensor))});
  const Space& phase = b.tensor.space();
  int number = 0;
  for (const OneForm& alpha : null_forms(b.tensor)) {
    std::vector<Expr> terms{Expr(0)};
    for (int i = 0; i < phase.dimension(); ++i)
      terms.push_back(alpha[i] * phase.velocities()[static_cast<std::size_t>(i)]);
    step.lines.push_back({fmt::format("null_{}", ++number), sum(terms)});
  }
  return step;
}

}  // namespace

namespace {

/// P, the tensor and W, with z as given.
void fill(const System& system, const SymbolMap& to_momenta, ConstrainedBracket& b) {
  const Admissible& D = b.D;
  const int n = D.space.dimension(), r = D.rank();
  const SymbolMap psi = D.substitution();
  b.embedding = substitute(momenta_on(system, psi), to_momenta);
  const std::vector<Expr> Q = substitute(forces_on(system, psi), to_momenta);
  const VectorField y(D.space, {D.drift.entries().begin(), D.drift.entries().end()});
  b.drift = lifted(b.tensor.space(), y);
  for (int a = 0; a < r; ++a) {
    const VectorField X = D.leg(a);
    for (int i = 0; i < n; ++i) b.tensor.set(i, n + a, X[i]);
    for (int c = a + 1; c < r; ++c)
      b.tensor.set(n + a, n + c, short_form(-pairing(b.embedding, bracket(X, D.leg(c)))));
    const Matrix moving = derivative(D.psi.column(a), system.time);
    b.drift[n + a] =
        sum({pairing(Q, X), -pairing(b.embedding, bracket(X, y)), dot(Matrix::column(b.embedding), moving)});
  }
}

}  // namespace

ConstrainedBracket constrained_bracket(const System& system, const Admissible& D) {
  const SymbolMap psi = D.substitution();
  const Expr ell = short_form(substitute(system.lagrangian, psi));
  std::vector<Symbol> momenta;
  for (const Symbol z : D.speeds) momenta.push_back(momentum_of(system, z));
  const Space phase = D.space * Space::chart(momenta);
  ConstrainedBracket b{D,  momenta,         gradient(ell, D.speeds), {},     ell, Expr(0),
                       {}, Bivector(phase), VectorField(phase),      D.where};

  b.speeds = inverse_legendre(system, b);
  SymbolMap to_momenta;
  std::vector<Expr> terms{-ell};
  for (int a = 0; a < D.rank(); ++a) {
    const auto al = static_cast<std::size_t>(a);
    to_momenta.emplace(D.speeds[al], b.speeds[al]);
    terms.push_back(b.momenta[al] * D.speeds[al]);
  }
  b.hamiltonian = short_form(substitute(sum(terms), to_momenta));
  fill(system, to_momenta, b);
  return b;
}

ConstrainedBracket in_velocities(const System& system, const ConstrainedBracket& b) {
  ConstrainedBracket named = b;
  named.speeds.assign(b.D.speeds.begin(), b.D.speeds.end());
  SymbolMap at_rest;
  for (const Symbol z : b.D.speeds) at_rest.emplace(z, Expr(0));
  std::vector<Expr> terms;
  for (std::size_t a = 0; a < b.momenta.size(); ++a)
    terms.push_back((b.momenta[a] - short_form(substitute(b.definitions[a], at_rest))) * b.D.speeds[a]);
  named.hamiltonian = sum(terms) / 2 - short_form(substitute(b.lagrangian, at_rest));
  fill(system, {}, named);
  return named;
}

OneForm hamiltonian_differential(const ConstrainedBracket& b) {
  const int n = b.D.space.dimension();
  OneForm dH(b.tensor.space());
  SymbolMap to_momenta;
  for (std::size_t a = 0; a < b.speeds.size(); ++a) {
    dH[n + static_cast<int>(a)] = b.speeds[a];
    to_momenta.emplace(b.D.speeds[a], b.speeds[a]);
  }
  for (int i = 0; i < n; ++i) dH[i] = -substitute(b.D.space.derivative(i, b.lagrangian), to_momenta);
  return dH;
}

VectorField motion(const ConstrainedBracket& b) {
  const OneForm dH = hamiltonian_differential(b);
  const Matrix X = b.tensor.components() * Matrix::column(dH.coefficients());
  return VectorField(b.tensor.space(), {X.entries().begin(), X.entries().end()}) + b.drift;
}

namespace {

std::vector<Expr> momentum_rates(const ConstrainedBracket& b, const VectorField& flow) {
  std::vector<Expr> rates;
  for (int a = 0; a < b.D.rank(); ++a) rates.push_back(short_form(flow[b.D.space.dimension() + a]));
  return rates;
}

}  // namespace

std::vector<Step> bracket_steps(const ConstrainedBracket& b, const ConstrainedBracket& shown) {
  return {legendre_step(shown), embedding_step(shown), tensor_step(shown), rank_step(b)};
}

EquationsOfMotion bracket_equations(const System& system) {
  const Admissible D = linear_velocities(system);
  const ConstrainedBracket b = constrained_bracket(system, D);
  const VectorField flow = motion(b);
  EquationsOfMotion equations = kinematics(system, D, "bracket");
  for (std::size_t i = 0; i < equations.configuration.size(); ++i)
    equations.configuration_rates[i] =
        short_rate(equations.configuration[i], flow(Expr(equations.configuration[i])));
  SymbolMap to_momenta, to_velocities;
  for (std::size_t a = 0; a < b.momenta.size(); ++a) {
    to_momenta.emplace(D.speeds[a], b.speeds[a]);
    to_velocities.emplace(D.speeds[a], D.definitions[a]);
  }
  equations.speeds = b.momenta;
  equations.speed_definitions = substitute(b.definitions, to_velocities);
  for (auto& [v, value] : equations.velocities) value = substitute(value, to_momenta);
  equations.speed_rates = momentum_rates(b, flow);
  equations.where = simplified(b.where);
  equations.steps = Steps([b] { return bracket_steps(b, b); });
  return equations;
}

}  // namespace rattleback
