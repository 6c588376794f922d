#include <rattleback/proof/hamiltonian_claims.hpp>

namespace rattleback {
namespace {

/// E = v^i ∂L/∂v^i − L at v = ψ(q, z).
Expr energy_on_D(const ClaimedSystem& claim) {
  std::vector<Expr> terms{-claim.lagrangian};
  for (const Symbol v : claim.velocities) terms.push_back(v * derivative(claim.lagrangian, v));
  return substitute(sum(terms), claim.psi);
}

}  // namespace

std::vector<Expr> conformal_residuals(const ClaimedSystem& claim, Expr f, const std::vector<Expr>& theta) {
  const std::size_t n = claim.velocities.size();
  const Expr E = energy_on_D(claim);
  std::vector<Expr> residuals;
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<Expr> terms{derivative_along(theta[j], claim.motion),
                            f * derivative_along(E, claim.frame[j])};
    for (std::size_t i = 0; i < n; ++i)
      terms.push_back(-claim.admissible[i] * derivative_along(theta[i], claim.frame[j]));
    residuals.push_back(sum(terms));
  }
  for (const auto& [i, j, k, value] : claim.structure)
    residuals[static_cast<std::size_t>(j)] -=
        claim.admissible[static_cast<std::size_t>(i)] * value * theta[static_cast<std::size_t>(k)];
  for (const Symbol z : claim.speeds) {
    std::vector<Expr> terms{f * derivative(E, z)};
    for (std::size_t i = 0; i < n; ++i) terms.push_back(-claim.admissible[i] * derivative(theta[i], z));
    residuals.push_back(sum(terms));
  }
  return residuals;
}

Matrix exterior_derivative(const ClaimedSystem& claim, const std::vector<Expr>& theta) {
  const int n = static_cast<int>(claim.velocities.size()), r = static_cast<int>(claim.speeds.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  Matrix w(n + r, n + r);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      w(i, j) = derivative_along(theta[at(j)], claim.frame[at(i)]) -
                derivative_along(theta[at(i)], claim.frame[at(j)]);
    for (int a = 0; a < r; ++a) {
      w(n + a, i) = derivative(theta[at(i)], claim.speeds[at(a)]);
      w(i, n + a) = -w(n + a, i);
    }
  }
  for (const auto& [i, j, k, value] : claim.structure) w(i, j) -= value * theta[at(k)];
  return w;
}

std::vector<Expr> variational_residuals(const ClaimedSystem& claim, const std::vector<Expr>& mu) {
  const std::size_t n = claim.velocities.size();
  const auto on_D = [&](Expr e) { return substitute(e, claim.psi); };
  std::vector<Expr> p;  // ∂(L − μ_a C^a)/∂v^i on D, where C = 0
  for (const Symbol v : claim.velocities) {
    std::vector<Expr> terms{on_D(derivative(claim.lagrangian, v))};
    for (std::size_t a = 0; a < mu.size(); ++a)
      terms.push_back(-mu[a] * on_D(derivative(claim.constraints[a], v)));
    p.push_back(sum(terms));
  }
  std::vector<Expr> residuals;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Expr> terms{derivative_along(p[i], claim.motion), -on_D(claim.forces[i]),
                            -on_D(derivative_along(claim.lagrangian, claim.frame[i]))};
    for (std::size_t a = 0; a < mu.size(); ++a)
      terms.push_back(mu[a] * on_D(derivative_along(claim.constraints[a], claim.frame[i])));
    residuals.push_back(sum(terms));
  }
  for (const auto& [i, l, m, value] : claim.structure)
    residuals[static_cast<std::size_t>(i)] +=
        value * claim.admissible[static_cast<std::size_t>(l)] * p[static_cast<std::size_t>(m)];
  return residuals;
}

}  // namespace rattleback
