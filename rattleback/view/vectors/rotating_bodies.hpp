#pragma once
/// Finds the freely rotating rigid bodies of a system, and writes every velocity by their angular velocities and few others.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// An SO(3) factor of the space.
struct FreeRotation {
  std::vector<Symbol> speeds;  ///< Ω, in the axes behind it
  Matrix B;                    ///< of the factor: to space, or to the axes of its carrier
  int carrier = -1;            ///< a rotation before this one that carries it, as a spherical joint does
  Matrix R;                    ///< R_carrier B, to space
  Matrix omega;                ///< ω_carrier + R Ω, in space axes
};

/// Velocities in space axes, as functions of the free velocities.
struct SolidBody {
  std::string name;
  Expr mass;
  Matrix inertia;  ///< about the mass centre, in body axes
  Matrix R;        ///< body axes → space
  Matrix r, v, w;  ///< position, velocity, angular velocity
};

/// L = Σ_b ½ m_b |v_b|² + ½ ⟨w_b, J_b w_b⟩ − U, with every velocity a function ψ of all Ω and of `others`.                  (X.3)
struct RotatingBodies {
  std::vector<FreeRotation> rotations;
  std::vector<Symbol> others;
  SymbolMap psi;    ///< velocities of the frame ↦ their values
  SymbolMap rates;  ///< of the functions of the space
  std::vector<SolidBody> bodies;
  Expr potential;
  std::vector<Expr> forces;     ///< on `others`
  std::vector<Matrix> torques;  ///< on the rotations, in space axes
  std::vector<Expr> defects;    ///< vanish when (X.3) holds

  /// ∂v/∂ω_a, the other ω held.
  Matrix partial(const Matrix& v, std::size_t a) const;
};

/// Nothing when no body has a rotation of its own, when constraints hold a rotation, or when (X.3) fails at random states. Where a model
/// states a Lagrangian and no bodies, a mass and an inertia are read off its velocities.
std::optional<RotatingBodies> rotating_bodies(const System& system);

}  // namespace rattleback
