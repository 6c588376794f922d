#include <rattleback/proof/hamiltonian/routh_hamiltonization.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/motion/equations/kinematics.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/proof/evidence/certificate.hpp>

namespace rattleback {
namespace {

/// μ_i = Y_i^α p_α.
SymbolMap momenta_of_fields(const RouthReduction& r, const ConstrainedBracket& constrained) {
  SymbolMap named;
  for (std::size_t i = 0; i < r.mu.size(); ++i) {
    std::vector<Expr> J{Expr(0)};
    for (int a = 0; a < r.components.rows(); ++a)
      J.push_back(r.components(a, static_cast<int>(i)) * constrained.momenta[static_cast<std::size_t>(a)]);
    named.emplace(r.mu[i], sum(J));
  }
  return named;
}

/// h(q, p_a; μ): the energy with the other momenta from Y_i^α p_α = μ_i.
Expr energy_at_fixed_momenta(const RouthReduction& r, const ConstrainedBracket& constrained) {
  std::vector<int> rest;
  for (int a = 0; a < r.components.rows(); ++a) {
    if (std::find(r.legs.begin(), r.legs.end(), a) == r.legs.end()) rest.push_back(a);
  }
  Matrix right(static_cast<int>(r.mu.size()), 1);
  for (int i = 0; i < right.rows(); ++i) {
    std::vector<Expr> terms{Expr(r.mu[static_cast<std::size_t>(i)])};
    for (const int a : r.legs)
      terms.push_back(-r.components(a, i) * constrained.momenta[static_cast<std::size_t>(a)]);
    right[i] = sum(terms);
  }
  const auto solved = unique_solution(transpose(rows_of(r.components, rest)), right);
  if (!solved) throw Bug("the legs do not complete the fields of a Routh reduction");
  SymbolMap eliminated;
  for (std::size_t k = 0; k < rest.size(); ++k)
    eliminated.emplace(constrained.momenta[static_cast<std::size_t>(rest[k])],
                       solved->x[static_cast<int>(k)]);
  return substitute(constrained.hamiltonian, eliminated);
}

/// d/dt(f p_a)/f = {P_a, H} with H(q, P) = h(q, P/f): free of f itself when written with σ.
Verdict moves_as_constrained(const ChaplyginBundle& b, const RouthReduction& r, const ChaplyginMultiplier& x,
                             const Matrix& shift, const ConstrainedBracket& constrained, Expr h) {
  const VectorField V = motion(constrained);
  const int n = b.system.space.dimension(), m = r.free();
  SymbolMap in_momenta;
  for (std::size_t a = 0; a < b.D.speeds.size(); ++a)
    in_momenta.emplace(b.D.speeds[a], constrained.speeds[a]);
  const std::vector<Expr> w = substitute(r.definitions, in_momenta);
  const SymbolMap named = momenta_of_fields(r, constrained);
  const auto p = [&](int a) {
    return Expr(constrained.momenta[static_cast<std::size_t>(r.legs[static_cast<std::size_t>(a)])]);
  };
  Expr sigma_w = 0, p_w = 0;
  for (int a = 0; a < m; ++a) {
    sigma_w += x.sigma[static_cast<std::size_t>(a)] * w[static_cast<std::size_t>(a)];
    p_w += p(a) * w[static_cast<std::size_t>(a)];
  }
  std::vector<Expr> residuals;
  for (int a = 0; a < m; ++a) {
    const int at = r.legs[static_cast<std::size_t>(a)];
    std::vector<Expr> terms{V[n + at], sigma_w * p(a), substitute(b.frame[at](h), named),
                            -x.sigma[static_cast<std::size_t>(a)] * p_w};
    for (int c = 0; c < m; ++c) {
      terms.push_back(-substitute(shift(a, c), named) * w[static_cast<std::size_t>(c)]);
      for (int d = 0; d < m; ++d) terms.push_back(r.shape.c(a, c, d) * p(d) * w[static_cast<std::size_t>(c)]);
    }
    residuals.push_back(sum(terms));
  }
  return is_zero(residuals);
}

/// Φ⁰_ab + σ_b b_a − σ_a b_b.
Matrix momentum_shift(const RouthReduction& r, const ChaplyginMultiplier& x) {
  const int m = r.free();
  SymbolMap rest;
  for (const Symbol s : r.speeds) rest.emplace(s, Expr(0));
  const std::vector<Expr> linear = substitute(gradient(r.routhian, r.speeds), rest);
  Matrix shift(m, m);
  for (int a = 0; a < m; ++a) {
    for (int c = 0; c < m; ++c) {
      const auto at = static_cast<std::size_t>(a), ct = static_cast<std::size_t>(c);
      shift(a, c) = short_form(substitute(r.shape.lambda(a, c), rest) + x.sigma[ct] * linear[at] -
                               x.sigma[at] * linear[ct]);
    }
  }
  return shift;
}

}  // namespace

ChaplyginMultiplier multiplier_at_fixed_momenta(const ChaplyginBundle& b, const RouthReduction& r) {
  return chaplygin_multiplier(r.shape, {short_form(determinant(b.metric))});
}

RouthHamiltonian routh_hamiltonian(const ChaplyginBundle& b, const RouthReduction& r,
                                   const ChaplyginMultiplier& x) {
  const ConstrainedBracket constrained = constrained_bracket(b.system, b.D);
  RouthHamiltonian h;
  SymbolMap scaled;
  for (const int a : r.legs) {
    const Symbol p = constrained.momenta[static_cast<std::size_t>(a)];
    h.momenta.push_back(Symbol::make("P" + p.name().substr(1), p.attributes()));
    scaled.emplace(p, Expr(h.momenta.back()) / *x.f);
  }
  const Expr energy = energy_at_fixed_momenta(r, constrained);
  h.hamiltonian = short_form(substitute(energy, scaled));
  const Matrix shift = momentum_shift(r, x);
  const int m = r.free();
  h.brackets = Matrix(m, m);
  for (int a = 0; a < m; ++a) {
    for (int c = 0; c < m; ++c) {
      std::vector<Expr> terms{*x.f *
                              shift(a, c)};  // its short form, with the root of f multiplied out, is long
      for (int d = 0; d < m; ++d)
        terms.push_back(-r.shape.c(a, c, d) * h.momenta[static_cast<std::size_t>(d)]);
      h.brackets(a, c) = sum(terms);
    }
  }
  h.motion = moves_as_constrained(b, r, x, shift, constrained, energy);
  return h;
}

Data certificate_of(const ChaplyginBundle& b, const RouthReduction& r, const ChaplyginMultiplier& x) {
  const EquationsOfMotion motion = gibbs_appell_equations(b.system);
  const Matrix P = Matrix::column(momenta_on(b.system, motion.velocities));
  const Matrix& dual = r.shape.frame.dual_matrix();
  std::vector<int> first;
  for (int a = 0; a < r.free(); ++a) first.push_back(a);
  const Matrix theta = rows_of(dual, first);
  std::vector<Expr> velocity;
  for (const Symbol v : b.system.space.velocities())
    velocity.push_back(substitute(Expr(v), motion.velocities));

  HamiltonianClaim claim{*x.f, {}, {}, {}, {}};
  const Matrix form = *x.f * (transpose(theta) * (transpose(r.shape.D.psi) * P));
  for (const Expr e : form.entries()) claim.theta.push_back(short_form(e));
  const auto on_Q = [&](const Matrix& of_legs) {
    Matrix S = *x.f * (transpose(theta) * of_legs * theta);
    for (Expr& e : S.entries()) e = short_form(e);
    return S;
  };
  const Matrix shift = momentum_shift(r, x);
  SymbolMap none;
  for (const Symbol mu : r.mu) none.emplace(mu, Expr(0));
  claim.twist.push_back(on_Q(substitute(shift, none)));
  for (std::size_t i = 0; i < r.mu.size(); ++i) {
    const int row = r.free() + static_cast<int>(i);
    claim.momenta.push_back(short_form(dot(P, Matrix::column(r.fields[i].coefficients()))));
    claim.rates.push_back(short_form(*x.f * dot(transpose(dual.row(row)), Matrix::column(velocity))));
    claim.twist.push_back(on_Q(derivative(shift, r.mu[i])));
  }
  return hamiltonian_certificate(b.system, motion, "routh-hamiltonization", claim);
}

}  // namespace rattleback
