#pragma once
/// Lagrangians of second-order systems ẍ = Ξ(x) ẋ ẏ, ÿ = 0, with further accelerations proportional to ẍ.

#include <optional>

#include <rattleback/proof/variational/helmholtz.hpp>

namespace rattleback {

/// ẍ = Ξ(x) ẋ ẏ, ÿ = 0 and q̈_a = −c_a ẍ with numbers c_a has the Lagrangian
///     L = ẋ log(ẏ/ẋ) + A(x) ẏ + ½ ẏ² + ½ Σ_a (q̇_a + c_a ẋ)²,   A' = −Ξ,                                    (C.41)
/// where ẋ ẏ > 0: its Hessian has the determinant −1/ẋ. The c_a may be functions of parameters.
struct DrivenLagrangian {
  Expr lagrangian;
  Expr positive;  ///< ẋ ẏ
  Verdict is_lagrangian;
};
/// Nothing when the system is of another shape, or A has no closed form that was found.
std::optional<DrivenLagrangian> driven_lagrangian(const SecondOrderSystem& s);

}  // namespace rattleback
