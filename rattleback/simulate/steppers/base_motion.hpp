#pragma once
/// Numerical evaluation of the Hamiltonized base of a Chaplygin system, for the stepper `hamiltonized`.

#include <memory>
#include <vector>

#include <Eigen/Core>

#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/proof/hamiltonian/hamiltonized_base.hpp>
#include <rattleback/simulate/states/manifold.hpp>
#include <rattleback/simulate/states/rates.hpp>

namespace rattleback {

/// The formulas, made once for a flow.
struct BaseFormulas {
  /// Throws Error[method-does-not-apply].
  explicit BaseFormulas(const Flow& flow);

  HamiltonizedBase base;
  /// Where each unit vector of x begins, and its length: 3 on a sphere, 4 for the quaternion of a rotation; lines come first.
  std::vector<std::pair<Eigen::Index, Eigen::Index>> spheres;
  Eigen::Index size;         ///< of x
  Eigen::Index constraints;  ///< left to the speeds: none where they parametrise D
  Code at_rest;  ///< x; ∂ẋ/∂z; G_αβ; A; f; μ_i; ∂μ_i/∂z: functions of the configuration, with the speeds 0
  Code rates;  ///< of ∂ẋ/∂z, G, A and f

 private:
  std::vector<Expr> functions(const Flow& flow);
};

/// A point of the base is x in ℝ^N, lines and unit vectors. With D = ∂ẋ/∂z and G_D the inverse of the metric of the admissible z,
///     M = D G_D Dᵀ,   p = f M⁺ ẋ,   z = G_D Dᵀ p/f + Y s,   Y = G_D (∂μ/∂z)ᵀ,                              (S.18)
/// s from the constant momenta μ. M is the inverse metric of the base, since Y moves no x; M⁺ is tangent to the spheres, as is p. In
/// the time τ the motion of (x, p) has, with derivatives that are covariant on the spheres,
///     x' = ∂H/∂p,   p' = −∂H/∂x + S x',   H = ½ M p p/f² + V_μ(x):
/// the part of p' that is odd in p tells S. Each thread needs its own.
class BaseMotion {
 public:
  using Vector = Eigen::VectorXd;

  explicit BaseMotion(const Flow& flow);
  const BaseFormulas& formulas() const { return *formulas_; }

  Vector point(const std::vector<double>& y);
  Vector momenta(const std::vector<double>& y);
  Vector velocity(const std::vector<double>& y);    ///< dx/dτ
  Vector constants(const std::vector<double>& y);   ///< μ
  double multiplier(const std::vector<double>& y);  ///< f
  Vector tangent(const Vector& x, Vector v) const;  ///< v without its parts along the unit vectors of x
  Vector radial(const Vector& x, const Vector& p,
                const Vector& v) const;                     ///< ⟨p, v⟩ x on each sphere, 0 on lines
  Vector normalised(const Vector& x, Vector& scale) const;  ///< and by what each entry was divided

  /// Moves y along D to a configuration above x; its speeds are lost. False when it does not arrive.
  bool lift(const Vector& x, std::vector<double>& y);
  /// The speeds of y, from p and μ.
  void set_speeds(const Vector& p, const Vector& mu, std::vector<double>& y);

  /// At a configuration y, with the velocity v = x' and constants μ; with respect to τ.
  struct Rates {
    Vector p;      ///< the momentum that belongs to v
    Vector q;      ///< rates of the configuration
    Vector force;  ///< −∂H/∂x
    Vector twist;  ///< S v
    double t;
  };
  Rates rates(const Vector& v, const Vector& mu, std::vector<double>& y);

  std::size_t evaluations() const { return flow_.count(); }

 private:
  void rest(const std::vector<double>& y);
  Vector momentum_rate(const Vector& p, const Vector& mu, std::vector<double>& y);

  std::shared_ptr<const BaseFormulas> formulas_;
  rattleback::Rates flow_;
  Manifold<double> manifold_;
  Eigen::Index n_, r_, s_, k_, q_;  ///< functions, speeds, constraints, constants, configuration
  Evaluator<double> at_rest_, rates_;
  std::vector<double> in_, out_, rates_out_, rate_;

  // At the last configuration asked for.
  Vector x_, mu_rest_;
  Eigen::MatrixXd D_, metric_, reaction_, mu_z_;  ///< D; G_D; (A G⁻¹ Aᵀ)⁻¹ A G⁻¹; ∂μ/∂z
  dense::LuFactors M_;                            ///< of M + n nᵀ, n the unit vectors of x
  Eigen::MatrixXd cometric_;                      ///< M
  double f_ = 1;
};

}  // namespace rattleback
