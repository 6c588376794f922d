#pragma once
/// Lyapunov spectrum by the variational equations and QR, with error bars, and indicators of chaos: MEGNO, GALI, SALI, Kaplan–Yorke.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/runs/neutral_directions.hpp>
#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// δ' = ∂f/∂y δ along the motion, for an orthonormal frame of variations that is made orthonormal again before its directions are
/// lost in each other; the logarithms of what is divided by add up to                                     (S.17)
///     λ_i(T) = (1/T) Σ ln r_ii.
/// The first part of the time lets the frame align and is not counted; the rest is cut into blocks of equal length. The means of the
/// blocks are the finite-time exponents, and what they scatter by is the error: its standard deviation over the root of their number.
struct LyapunovExponents {
  std::vector<double> exponents;  ///< the largest first
  std::vector<double> errors;     ///< of each, one standard deviation
  std::vector<double> halfway;    ///< the same after half of the time: how far they have settled
  std::vector<std::vector<double>>
      blocks;          ///< finite-time exponents of each block, in the order of `exponents`
  double time = 0;     ///< where the motion ended
  double aligned = 0;  ///< when counting began
  std::size_t steps = 0, orthonormalisations = 0;
  std::size_t directions = 0;  ///< of the space of states
  std::optional<std::string> failure;

  /// Where all exponents were asked for: their sum is the mean divergence (1/T) ∫ Σ ∂f_i/∂y_i dt, computed without the frame.
  std::optional<double> divergence;
  NeutralDirections neutral;  ///< what has to vanish

  /// Y(T) = (2/T) ∫ (d ln|δ|/dt) t dt, its mean over time: 2 for quasi-periodic motion, λT/2 for chaos [Cincotta and Simó 2000].
  double megno = 0, mean_megno = 0;
  /// ln GALI_k for k = 2 … N: volumes that k deviations of length one span [Skokos, Bountis and Antonopoulos 2007].
  std::vector<double> log_gali;
  /// min(|w₁ + w₂|, |w₁ − w₂|) of two deviations of length one.
  std::optional<double> sali;

  double sum() const;
  double error_of_sum() const;
  /// j + (λ_1 + … + λ_j)/|λ_{j+1}| with the last j for which the sum is not negative. None unless the largest exponent is positive and
  /// the sum negative by more than three standard deviations: volumes that do not shrink have no attractor.
  std::optional<double> kaplan_yorke() const;
};

struct LyapunovOptions {
  double until = 100;
  std::size_t count = 0;  ///< 0: all
  double rtol = 1e-10;
  double transient = 0;     ///< before anything is counted, on top of `until`
  std::size_t blocks = 20;  ///< besides the one in which the frame aligns
  bool divergence = true;   ///< computed besides, where all exponents are asked for
  bool backward = false;    ///< the motion from `until` before its start: repellers become attractors
  std::vector<Invariant> invariants;         ///< known integrals; see neutral_directions
  std::function<void()> between_steps = {};  ///< called between steps; what it throws ends the motion
};

/// Throws Error[usage] where the state has fewer independent directions (a rotation has three).
LyapunovExponents lyapunov_exponents(const Flow& flow, std::span<const double> y,
                                     const LyapunovOptions& options);
/// The `count` largest.
LyapunovExponents lyapunov_exponents(const Flow& flow, std::span<const double> y, double until,
                                     std::size_t count, double rtol = 1e-10);

}  // namespace rattleback
