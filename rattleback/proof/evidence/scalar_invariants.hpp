#pragma once
/// Scalar invariants of potential and metric: functions that every symmetry preserves, made of V, g and their gradients.

#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Functions made of V and g alone.
struct ScalarInvariants {
  int independent = 0;  ///< of their differentials, on N where there are position constraints
  int dimension = 0;    ///< of Q, or of N
  std::vector<std::pair<int, int>> pairs;  ///< after V: g⁻¹(df_j, df_k) for functions j, k before it
};

/// How many functions with independent differentials are made of the potential V and the metric g alone:
///     V, g⁻¹(dV, dV), g⁻¹(dV, df), g⁻¹(df, df), … for f among those before.                                 (N.10)
/// A symmetry preserves g, V and therefore all of them; when they are as many as the dimension there is none.
/// On N = {φ = 0} gradients are those of the induced metric, g⁻¹(df − μ_a dφ_a) with μ such that they are tangent to N, and the number is
/// that of differentials independent of the dφ_a, at random points of every part of N that random points meet.
/// Zero when L is not of the form ½ g(v, v) − V, depends on time, or g is singular. Where the differentials are independent at one
/// point they are so at almost all: the number is proved from below.
ScalarInvariants scalar_invariants(const System& system);

}  // namespace rattleback
