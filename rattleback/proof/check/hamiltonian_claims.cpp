#include <rattleback/proof/check/hamiltonian_claims.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/check/claimed_motion.hpp>

namespace rattleback {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// What (C.33) is made of.
struct Claimed {
  Expr f;
  std::vector<Expr> theta;      ///< Θ_i
  std::vector<Expr> momenta;    ///< J_i
  std::vector<Expr> rates;      ///< λ_i
  std::vector<Matrix> twisted;  ///< S⁰, S^1, …: n × n, entries S(X_i, X_j)
};

Claimed claimed(const ClaimedSystem& claim, const Data& certificate) {
  Claimed c;
  c.f = claim.formula(text_field(certificate, "multiplier"));
  require_listed({c.f}, {&claim.functions}, "a multiplier");
  c.theta = formulas_field(claim, certificate, "form", claim.velocities.size());
  const Data* momenta = certificate.find("momenta");
  const std::size_t k = momenta != nullptr && momenta->list() != nullptr ? momenta->list()->size() : 0;
  if (k > 0) {
    if (k >= claim.speeds.size()) bad_certificate("at so many fixed momenta nothing moves");
    c.momenta = formulas_field(claim, certificate, "momenta", k);
    c.rates = formulas_field(claim, certificate, "rates", k);
  }
  if (const Data* twist = certificate.find("twist"); twist != nullptr) {
    if (twist->list() == nullptr || twist->list()->size() != k + 1)
      bad_certificate("`twist` needs a two-form, and one more for each momentum");
    for (const Data& form : *twist->list()) c.twisted.push_back(two_form(claim, form));
  }
  return c;
}

/// S⁰ + J_i S^i.
Matrix total_twist(const ClaimedSystem& claim, const Claimed& c) {
  const int n = static_cast<int>(claim.velocities.size());
  if (c.twisted.empty()) return Matrix(n, n);
  Matrix total = c.twisted[0];
  for (std::size_t i = 0; i < c.momenta.size(); ++i) total = total + c.momenta[i] * c.twisted[i + 1];
  return total;
}

/// i_Γ(dΘ + S) + f dE − λ_i dJ_i in the frame (X_i, ∂/∂z^α).
std::vector<Expr> hamiltonian_residuals(const ClaimedSystem& claim, const Claimed& c) {
  const std::size_t n = claim.velocities.size();
  const Matrix S = total_twist(claim, c);
  std::vector<Expr> r = contracted_differential(claim, c.theta);
  const std::vector<Expr> dE = differential(claim, energy_on_D(claim));
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += c.f * dE[i];
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i)
      r[j] += claim.admissible[i] * S(static_cast<int>(i), static_cast<int>(j));
  }
  for (std::size_t m = 0; m < c.momenta.size(); ++m) {
    const std::vector<Expr> dJ = differential(claim, c.momenta[m]);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= c.rates[m] * dJ[i];
  }
  return r;
}

/// dΘ + S in the same frame: h − hᵀ + S − C Θ, where a column of h is dΘ_j.
Matrix presymplectic_form(const ClaimedSystem& claim, const Claimed& c) {
  const int n = static_cast<int>(claim.velocities.size()), all = n + static_cast<int>(claim.speeds.size());
  Matrix h(all, all);
  for (int j = 0; j < n; ++j) {
    const std::vector<Expr> slopes = differential(claim, c.theta[at(j)]);
    for (int i = 0; i < all; ++i) h(i, j) = slopes[at(i)];
  }
  Matrix w = h - transpose(h);
  const Matrix S = total_twist(claim, c);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) w(i, j) += S(i, j);
  }
  for (const auto& [i, j, k, value] : claim.structure) w(i, j) -= value * c.theta[at(k)];
  return w;
}

/// The form bordered by the dJ_i: its rank is that of the form on J = const and twice the number of momenta.
Matrix bordered(const ClaimedSystem& claim, const Claimed& c) {
  const Matrix w = presymplectic_form(claim, c);
  const int k = static_cast<int>(c.momenta.size());
  Matrix dJ(0, w.columns());
  for (const Expr J : c.momenta) dJ = stacked(dJ, Matrix::row(differential(claim, J)));
  return stacked(beside(w, transpose(dJ)), beside(dJ, Matrix(k, k)));
}

/// f does not change along the kernel of the form on J = const: df lies in the rows of the bordered form.
Verdict is_basic(const ClaimedSystem& claim, const Matrix& form, Expr f) {
  std::vector<Expr> df = differential(claim, f);
  df.resize(static_cast<std::size_t>(form.columns()), Expr(0));
  return has_rank(stacked(form, Matrix::row(df)), rank(form));
}

}  // namespace

std::vector<CheckedStep> hamiltonian_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Claimed c = claimed(claim, certificate);
  std::vector<Expr> closure, drift;
  for (const Matrix& S : c.twisted) {
    const std::vector<Expr> more = closure_residuals(claim, S);
    closure.insert(closure.end(), more.begin(), more.end());
  }
  for (const Expr J : c.momenta) drift.push_back(derivative_along(J, claim.motion));
  const Matrix form = bordered(claim, c);
  const Symbol t = Symbol::make("t", {.role = Role::time});
  std::vector<Expr> in_time = derivative(Matrix::column(c.theta), t).entries();
  for (const Expr J : c.momenta) in_time.push_back(derivative(J, t));
  std::vector<CheckedStep> steps{
      {"the form does not depend on time", is_zero(in_time)},
      {"it does not vanish", some_do_not_vanish({c.f})},
      {"in its time the motion is Hamiltonian for the form", is_zero(hamiltonian_residuals(claim, c))},
      {"the form is symplectic on the reduced space",
       at_least(rank(form).value, 2 * static_cast<int>(claim.speeds.size()), "the rank of the form")},
      {"there the multiplier is a function", is_basic(claim, form, c.f)}};
  if (!c.momenta.empty()) steps.push_back({"the momenta are constant", is_zero(drift)});
  if (!c.twisted.empty()) steps.push_back({"the two-forms are closed", is_zero(closure)});
  return steps;
}

std::vector<CheckedStep> lie_poisson_steps(const ClaimedSystem& claim, const Data& certificate) {
  const std::size_t r = claim.speeds.size();
  const std::vector<Expr> p = formulas_field(claim, certificate, "momenta", r);
  const std::vector<Expr> zeta = formulas_field(claim, certificate, "rates", r);
  const std::vector<ClaimedSystem::Coefficient> S =
      coefficients_field(claim, certificate, "brackets", static_cast<int>(r));
  const Symbol t = Symbol::make("t", {.role = Role::time});
  std::vector<Expr> constants, motion, energy = differential(claim, energy_on_D(claim));
  energy.push_back(derivative(energy_on_D(claim), t));
  for (const auto& s : S) {
    for (const auto& more : {differential(claim, s.value), slopes(claim, s.value)})
      constants.insert(constants.end(), more.begin(), more.end());
  }
  for (std::size_t a = 0; a < r; ++a) {
    motion.push_back(derivative_along(p[a], claim.motion));
    std::vector<Expr> dp = differential(claim, p[a]);
    dp.push_back(derivative(p[a], t));
    for (std::size_t i = 0; i < dp.size(); ++i) energy[i] -= zeta[a] * dp[i];
  }
  for (const auto& [a, b, c, value] : S) motion[at(a)] += value * p[at(c)] * zeta[at(b)];
  return {{"the brackets are constant", is_zero(constants)},
          {"they satisfy Jacobi's identity", is_zero(jacobi_residuals(S, {}))},
          {"the momenta determine the speeds",
           at_least(rank(jacobian(p, claim.speeds)).value, static_cast<int>(r), "the rank of ∂p/∂z")},
          {"the energy is a function of the momenta, with these slopes", is_zero(energy)},
          {"the motion of the momenta is Lie-Poisson", is_zero(motion)}};
}

std::vector<CheckedStep> lagrangian_steps(const ClaimedSystem& claim, const Data& certificate) {
  const Expr L = claim.formula(text_field(certificate, "unconstrained"));
  require_of_velocities(claim, {L});
  const Matrix hessian = substitute(jacobian(gradient(L, claim.velocities), claim.velocities), claim.psi);
  return {{"the motion satisfies its equations", is_zero(lagrange_expressions(claim, L))},
          {"it is regular", at_least(rank(hessian).value, static_cast<int>(claim.velocities.size()),
                                     "the rank of its Hessian")}};
}

std::vector<CheckedStep> variational_steps(const ClaimedSystem& claim, const Data& certificate) {
  const std::vector<Expr> mu = formulas_field(claim, certificate, "multipliers", claim.constraints.size());
  const auto on_D = [&](Expr e) { return substitute(e, claim.psi); };
  std::vector<Expr> p, along_legs;  // of L − μ_a C^a on D, where C = 0
  for (std::size_t i = 0; i < claim.velocities.size(); ++i) {
    std::vector<Expr> terms{on_D(derivative(claim.lagrangian, claim.velocities[i]))};
    std::vector<Expr> slope{on_D(derivative_along(claim.lagrangian, claim.frame[i])), on_D(claim.forces[i])};
    for (std::size_t a = 0; a < mu.size(); ++a) {
      terms.push_back(-mu[a] * on_D(derivative(claim.constraints[a], claim.velocities[i])));
      slope.push_back(-mu[a] * on_D(derivative_along(claim.constraints[a], claim.frame[i])));
    }
    p.push_back(sum(terms));
    along_legs.push_back(sum(slope));
  }
  return {{"with these multipliers the motion is variational",
           is_zero(lagrange_residuals(claim, p, along_legs))}};
}

}  // namespace rattleback
