#include <rattleback/simulate/runs/impact.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/solving/dense.hpp>

namespace rattleback {
namespace {

using Eigen::MatrixXd, Eigen::VectorXd;

/// G and what follows from it: t are the directions within the plane of contact.
struct Inertia {
  explicit Inertia(const MatrixXd& given)
      : G(given),
        tangents(G.rows() - 1),
        tt(G.bottomRightCorner(tangents, tangents)),
        tn(G.bottomLeftCorner(tangents, 1)),
        holding(-solved(tn)),
        stuck(G(0, 0) + tn.dot(holding)) {}
  MatrixXd G;
  Eigen::Index tangents;
  MatrixXd tt;
  VectorXd tn;
  VectorXd holding;  ///< dP_t/dp that keeps γ_t = 0
  double stuck;      ///< dγ_n/dp meanwhile
  /// x with tt x = b, the shortest: a plane body has no motion across.
  VectorXd solved(const VectorXd& b) const { return dense::least_norm(tt, b).x; }
};

VectorXd joined(double normal, const VectorXd& tangential) {
  VectorXd v(tangential.size() + 1);
  v << normal, tangential;
  return v;
}

/// Without friction.
ContactImpulse smooth(const MatrixXd& G, const VectorXd& gamma, double e) {
  VectorXd P = VectorXd::Zero(gamma.size());
  P[0] = -(1 + e) * gamma[0] / G(0, 0);
  return {P, gamma + G * P, false};
}

/// γ_t = 0 from the beginning.
ContactImpulse held(const Inertia& inertia, const VectorXd& gamma, double e) {
  const VectorXd slip = gamma.tail(inertia.tangents), stop = -inertia.solved(slip);
  const double approach = gamma[0] + inertia.tn.dot(stop);  // once it does not slip
  if (approach >= 0) {
    const double part = gamma[0] / (gamma[0] - approach);
    const VectorXd P = joined(0, part * stop);
    return {P, gamma + inertia.G * P, false};
  }
  const double p = -(1 + e) * approach / inertia.stuck;
  const VectorXd P = joined(p, stop + p * inertia.holding);
  return {P, joined(-e * approach, VectorXd::Zero(inertia.tangents)), true};
}

/// The direction s in which a contact begins to slip that friction cannot hold: (G (1, −μ s))_t = λ s with λ > 0.
VectorXd onset(const Inertia& inertia, double mu) {
  const auto acceleration = [&](const VectorXd& s) -> VectorXd { return inertia.tn - mu * (inertia.tt * s); };
  if (inertia.tangents == 1) return VectorXd::Constant(1, inertia.tn[0] > 0 ? 1 : -1);
  const auto direction = [](double angle) { return VectorXd{{std::cos(angle), std::sin(angle)}}; };
  const auto turning = [&](double angle) {
    const VectorXd s = direction(angle), a = acceleration(s);
    return s[0] * a[1] - s[1] * a[0];
  };
  constexpr int parts = 720;
  for (int k = 0; k < parts; ++k) {
    double low = 2 * std::numbers::pi * k / parts, high = 2 * std::numbers::pi * (k + 1) / parts;
    if (turning(low) * turning(high) > 0) continue;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (turning(low) * turning(middle) > 0 ? low : high) = middle;
    }
    const VectorXd s = direction(low);
    if (s.dot(acceleration(s)) > 0) return s;
  }
  throw Bug("a contact that neither sticks nor slips");
}

/// (S.23) with dp = |γ_t| dτ, which is regular where the contact stops to slip: (γ, P)' = (G f, f) with f = (|γ_t|, −μ γ_t).
class Slipping {
 public:
  Slipping(const Inertia& inertia, const VectorXd& gamma, double mu)
      : inertia_(inertia), mu_(mu), gamma_(gamma), P_(VectorXd::Zero(gamma.size())) {
    step_ = 0.01 / ((1 + mu) * inertia.G.norm());
  }
  const VectorXd& gamma() const { return gamma_; }
  const VectorXd& impulse() const { return P_; }

  /// Runge and Kutta's step of length h: the impulse and the velocity after it.
  void advance(double h) {
    const VectorXd k1 = f(gamma_), k2 = f(gamma_ + h / 2 * (inertia_.G * k1)),
                   k3 = f(gamma_ + h / 2 * (inertia_.G * k2)), k4 = f(gamma_ + h * (inertia_.G * k3));
    const VectorXd dP = h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    P_ += dP;
    gamma_ += inertia_.G * dP;
  }
  /// Until g ≥ 0 or the slip is below `still`; true when g is.
  template <class Function>
  bool until(const Function& g, double still) {
    constexpr int most = search_limits::impulse_of_an_impact.count;
    for (int k = 0; k < most; ++k) {
      if (g(*this) >= 0) return true;
      if (gamma_.tail(inertia_.tangents).norm() <= still) return false;
      Slipping before = *this;
      advance(step_);
      if (g(*this) < 0) continue;
      double low = 0, high = step_;
      for (int i = 0; i < 60; ++i) {
        *this = before;
        advance((low + high) / 2);
        (g(*this) < 0 ? low : high) = (low + high) / 2;
      }
      *this = before;
      advance(high);
      return true;
    }
    throw Bug("an impact without end");
  }
  Slipping& operator=(const Slipping& other) {
    gamma_ = other.gamma_;
    P_ = other.P_;
    return *this;
  }
  Slipping(const Slipping&) = default;

 private:
  VectorXd f(const VectorXd& gamma) const {
    const VectorXd slip = gamma.tail(inertia_.tangents);
    return joined(slip.norm(), -mu_ * slip);
  }
  const Inertia& inertia_;
  double mu_, step_ = 0;
  VectorXd gamma_, P_;
};

ContactImpulse rubbing(const Inertia& inertia, const VectorXd& gamma, double mu, double e) {
  const double still = 1e-13 * gamma.norm();
  Slipping slipping(inertia, gamma, mu);
  const bool compressed = slipping.until([](const Slipping& s) { return s.gamma()[0]; }, still);
  const double p_c = slipping.impulse()[0];
  if (compressed && slipping.until([&](const Slipping& s) { return s.impulse()[0] - (1 + e) * p_c; }, still))
    return {slipping.impulse(), slipping.gamma(), false};
  // It does not slip any more: it sticks, or friction is too weak for that.
  const bool sticks = inertia.holding.norm() <= mu;
  VectorXd f = inertia.holding;
  if (!sticks) f = -mu * onset(inertia, mu);
  const VectorXd direction = joined(1, f);
  const double rate = (inertia.G * direction)[0], p = slipping.impulse()[0],
               at_rest = compressed ? p_c : p - slipping.gamma()[0] / rate;
  const double left = (1 + e) * at_rest - p;
  VectorXd P = slipping.impulse() + left * direction,
           after = slipping.gamma() + left * (inertia.G * direction);
  if (sticks) after.tail(inertia.tangents).setZero();
  return {P, after, sticks};
}

}  // namespace

ContactImpulse contact_impulse(const MatrixXd& G, const VectorXd& gamma, const ImpactLaw& law) {
  const double e = law.restitution;
  if (gamma.size() == 1 || law.friction == 0.0) return smooth(G, gamma, e);
  const Inertia inertia(G);
  return law.friction ? rubbing(inertia, gamma, *law.friction, e) : held(inertia, gamma, e);
}

}  // namespace rattleback
