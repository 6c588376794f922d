#pragma once
/// Angular momentum and torque of a rigid body whose other velocities follow from its rotation, as a rolling body's do.

#include <optional>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// With v = ψ(q, Ω) for all velocities, ℓ(q, Ω) = L(q, ψ), and axes a_k in which constraints hold the rotation:
///     K = ∂ℓ/∂Ω,   K' = N + λ_k a_k,   ⟨a_k, Ω⟩ + c_k = 0.                                               (X.1)
/// All vectors in body axes.
struct BodyMotion {
  const Factor* factor = nullptr;  ///< SO(3), SE(3), or so(3) alone
  Matrix B;                        ///< body axes → space; no rows for so(3) alone
  std::vector<Symbol> speeds;      ///< components of Ω
  std::vector<Expr> psi;
  Matrix momentum, torque;  ///< K and N
  std::vector<Matrix> axes;
  std::vector<Expr> offsets;
  SymbolMap rates;  ///< of the functions of the space, and t' = 1

  Matrix Omega() const;
  bool has_attitude() const { return B.rows() == 3; }
  /// Bᵀe_k: space axis k, seen from the body.
  Matrix row(int k) const;
  /// v_i ↦ ψ_i.
  SymbolMap velocities(const Space& space) const;
  Matrix rate(const Matrix& m) const { return derivative_along(m, rates); }
};

/// Nothing when there is no such body, or more than one, or when other velocities are free.
std::optional<BodyMotion> body_motion(const System& system);

/// ρ with V = ρ × Ω for the velocity V of a point, in body axes: from the point to where the body rolls.
struct RollingVector {
  Matrix rho;
  std::vector<Expr>
      position;  ///< of the point, in space; one is missing where the model does not know the height
};
std::optional<RollingVector> rolling_vector(const System& system, const BodyMotion& body);

}  // namespace rattleback
