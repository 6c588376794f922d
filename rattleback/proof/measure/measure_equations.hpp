#pragma once
/// The linear equations for a density of the configuration, direction by direction (M.2).

#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/evidence/directional_system.hpp>

namespace rattleback {

/// The divergence of the motion is not of degree one in the speeds, as −dσ(v) would be: no density of the configuration is invariant.
class NonlinearDivergence : public Inapplicable {
 public:
  using Inapplicable::Inapplicable;
};

/// The measure e^σ dq dp on D*; with forces, affine constraints or time dependence e^σ dq dz on D.
struct MeasureEquations {
  std::vector<DirectionalEquation> equations;  ///< for σ(q)
  bool momenta = true;                         ///< the density is with respect to dq dp; else to dq dz
  Matrix metric;                               ///< G_αβ = ∂²ℓ_c/∂z^α∂z^β: dq dp = det G dq dz
  Admissible D;
  /// The rates of the speeds vanish to second order at z = 0: ρ(q, 0) of a smooth density ρ(q, z) then satisfies the equations.
  bool kinetic = false;
};

/// X_α[σ] + div X_α + C_αβ^β = 0 for every leg of D [Fedorov, García-Naranjo, Marrero 2015], C of (H.4).      (M.2)
/// Potentials and gyroscopic terms do not enter. With forces or affine constraints the divergence of the motion is taken
/// apart by powers of z instead: Θ = θ_α z^α + θ_0, X_α[σ] = −θ_α and y[σ] = −θ_0.
/// Throws NonlinearDivergence when Θ is not of degree one in the speeds, Inapplicable when it depends on time.
MeasureEquations measure_equations(const System& system);

}  // namespace rattleback
