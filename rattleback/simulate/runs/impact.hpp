#pragma once
/// Impact of one contact with restitution and Coulomb friction: Routh's path of the contact's velocity over the normal impulse.

#include <optional>

#include <Eigen/Core>

namespace rattleback {

struct ImpactLaw {
  double restitution = 0;  ///< e of Poisson: the normal impulse after compression is e times that before
  std::optional<double> friction;  ///< mu; without it the contact holds as well as it has to
};

struct ContactImpulse {
  Eigen::VectorXd impulse;   ///< normal, then within the plane of contact
  Eigen::VectorXd velocity;  ///< of the contact afterwards
  bool sticks = false;
};

/// The velocity γ = (γ_n, γ_t) of the contact, γ_n < 0, changes with the impulse P = (p, P_t) by dγ = G dP, and
///     dP_t/dp = −μ γ_t/|γ_t| while it slips,   dγ_t = 0 while |dP_t| ≤ μ dp,                              (S.23)
/// from compression, which ends with γ_n = 0 at p = p_c, to p = (1 + e) p_c.                                (S.24)
/// Without a coefficient of friction γ_t = 0 from the beginning: P_c = −G⁻¹γ, and then e p_c with γ_t = 0. Where that would take a
/// pulling normal impulse, the impulse within the plane alone ends the approach. G is positive definite. No energy is gained for 0 ≤ e ≤ 1.
ContactImpulse contact_impulse(const Eigen::MatrixXd& G, const Eigen::VectorXd& gamma, const ImpactLaw& law);

}  // namespace rattleback
