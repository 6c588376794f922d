#pragma once
/// Lyapunov exponents by the variational equations and QR.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/flow.hpp>

namespace rattleback {

/// δ' = ∂f/∂y δ along the motion, for an orthonormal frame of variations that is made orthonormal again after every step; the
/// logarithms of what is divided by add up to                                                            (S.17)
///     λ_i(T) = (1/T) Σ ln r_ii.
struct LyapunovExponents {
  std::vector<double> exponents;  ///< the largest first
  std::vector<double> halfway;    ///< the same after half of the time: how far they have settled
  double time = 0;
  std::size_t steps = 0;
  std::optional<std::string> failure;
};

/// The `count` largest. Throws Error[usage] where the state has fewer independent directions (a rotation has three), and
/// Error[method-does-not-apply] where all velocities are integrated.
LyapunovExponents lyapunov_exponents(const Flow& flow, std::span<const double> y, double until,
                                     std::size_t count, double tolerance = 1e-15);

}  // namespace rattleback
