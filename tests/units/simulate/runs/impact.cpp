#include <doctest/doctest.h>

#include <random>

#include <rattleback/simulate/runs/impact.hpp>

using namespace rattleback;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

/// A homogeneous ball: 1/m along the normal, 7/(2m) within the plane.
MatrixXd ball(double m) { return MatrixXd(VectorXd{{1 / m, 3.5 / m, 3.5 / m}}.asDiagonal()); }

/// ½ γᵀ G⁻¹ γ: what of the energy an impulse at the contact can change.
double energy(const MatrixXd& G, const VectorXd& gamma) { return gamma.dot(G.ldlt().solve(gamma)) / 2; }

MatrixXd random_inertia(std::mt19937& draw, int size) {
  std::normal_distribution<double> normal;
  MatrixXd root(size, size);
  for (double& x : root.reshaped()) x = normal(draw);
  return root * root.transpose() + 0.1 * MatrixXd::Identity(size, size);
}

/// (S.23) and (S.24) once more, by small steps of p and without a change of variables.
VectorXd by_small_steps(const MatrixXd& G, VectorXd gamma, double mu, double e) {
  const double dp = 1e-5;
  double p = 0, end = -1;
  const VectorXd tn = G.bottomLeftCorner(2, 1), holding = -G.bottomRightCorner(2, 2).ldlt().solve(tn);
  while (end < 0 || p < end) {
    const VectorXd slip = gamma.tail(2);
    VectorXd f(3);
    f[0] = 1;
    f.tail(2) = slip.norm() > 1e-4 || holding.norm() > mu ? VectorXd(-mu * slip.normalized()) : holding;
    gamma += dp * (G * f);
    p += dp;
    if (end < 0 && gamma[0] >= 0) end = (1 + e) * p;
  }
  return gamma;
}

}  // namespace

TEST_CASE("a ball slips through an impact, or rolls after it, by its coefficient of friction") {
  const VectorXd gamma{{-2, 3, 0}};
  const ContactImpulse slips = contact_impulse(ball(2), gamma, {0.5, 0.1});
  CHECK(slips.impulse[0] == doctest::Approx(2 * 2 * 1.5).epsilon(1e-12));
  CHECK(slips.impulse[1] == doctest::Approx(-0.1 * 6).epsilon(1e-9));
  CHECK(slips.velocity[1] == doctest::Approx(3 - 3.5 / 2 * 0.6).epsilon(1e-9));
  CHECK_FALSE(slips.sticks);
  // It sticks from μ = (2/7) |γ_t|/((1 + e) |γ_n|) on.
  const double least = 2.0 / 7 * 3 / (1.5 * 2);
  CHECK_FALSE(contact_impulse(ball(2), gamma, {0.5, 0.999 * least}).sticks);
  for (const std::optional<double> mu :
       {std::optional(1.001 * least), std::optional(10.0), std::optional<double>()}) {
    const ContactImpulse sticks = contact_impulse(ball(2), gamma, {0.5, mu});
    CHECK(sticks.sticks);
    CHECK(sticks.velocity[0] == doctest::Approx(1).epsilon(1e-10));
    CHECK(sticks.velocity.tail(2).norm() < 1e-12);
    CHECK(sticks.impulse[1] == doctest::Approx(-3 * 2 / 3.5).epsilon(1e-9));
  }
  CHECK(contact_impulse(ball(2), gamma, {0.5, 0.0}).velocity[1] == 3);
}

TEST_CASE("impacts follow the law of Coulomb along their whole path") {
  std::mt19937 draw(5);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 4; ++k) {
    const MatrixXd G = random_inertia(draw, 3);
    const VectorXd gamma{{-1 - std::abs(normal(draw)), normal(draw), normal(draw)}};
    for (const double mu : {0.1, 0.4}) {
      CAPTURE(k);
      CAPTURE(mu);
      const VectorXd expected = by_small_steps(G, gamma, mu, 0.6),
                     found = contact_impulse(G, gamma, {0.6, mu}).velocity;
      CHECK((found - expected).norm() < 2e-3 * gamma.norm());
    }
  }
}

TEST_CASE("no impact gains energy; Newton's rule for the velocities would") {
  std::mt19937 draw(7);
  std::normal_distribution<double> normal;
  int gained_by_newton = 0;
  for (int k = 0; k < 60; ++k) {
    const int size = k % 2 == 0 ? 3 : 2;
    const MatrixXd G = random_inertia(draw, size);
    VectorXd gamma(size);
    for (double& x : gamma.reshaped()) x = normal(draw);
    gamma[0] = -std::abs(gamma[0]) - 0.01;
    const double before = energy(G, gamma);
    for (const std::optional<double> mu :
         {std::optional<double>(), std::optional(0.0), std::optional(0.3), std::optional(2.0)}) {
      const ContactImpulse done = contact_impulse(G, gamma, {1, mu});
      CHECK(energy(G, done.velocity) <= before * (1 + 1e-9));
      CHECK((gamma + G * done.impulse - done.velocity).norm() < 1e-9 * (gamma.norm() + done.velocity.norm()));
      CHECK(done.impulse[0] >= 0);
      if (mu) CHECK(done.impulse.tail(size - 1).norm() <= *mu * done.impulse[0] * (1 + 1e-9));
    }
    VectorXd newton = VectorXd::Zero(size);
    newton[0] = -gamma[0];
    if (energy(G, newton) > before) ++gained_by_newton;
  }
  CHECK(gained_by_newton > 0);
}
