#pragma once
/// Legendre transform on the constraint, p = p(q, z, t) and back, for methods that are symmetric, symplectic or Poisson in (q, p).

#include <memory>
#include <vector>

#include <Eigen/Core>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// p_α = ∂ℓ_c/∂z^α with ℓ_c(q, z, t) = L(q, ψ(q, z, t), t), as functions of the state.                  (S.9)
std::vector<Expr> constrained_momenta(const Flow& flow);

/// Each thread needs its own.
class MomentumChart {
 public:
  explicit MomentumChart(const Flow& flow);
  MomentumChart(const MomentumChart&) = delete;
  MomentumChart& operator=(const MomentumChart&) = delete;

  /// p at a state y = (q, z).
  Eigen::VectorXd momenta(double t, const double* y);
  /// Replaces the speeds of y, which are a guess, by those with these momenta: Newton, one step where p is linear in z.
  /// False when it does not converge.
  bool set_speeds(double t, const Eigen::VectorXd& p, double* y);

 private:
  void evaluate(double t, const double* y);

  std::size_t speeds_, first_;
  std::shared_ptr<const Code> code_;
  Evaluator<double> f_;
  std::vector<double> x_, out_;
};

}  // namespace rattleback
