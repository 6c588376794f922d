#pragma once
/// Phase volume along a cloud of motions, forwards and with velocities reversed: contraction, invariant densities, reversibility in numbers.

#include <optional>
#include <string>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// ln of the volume of a small piece of phase space around each motion, ∫ div f dt in the coordinates of the state where these are
/// independent: the density of a cloud is its inverse. At one time, over the cloud.
struct VolumeAt {
  double time = 0, mean = 0, least = 0, largest = 0;
};

struct PhaseVolume {
  std::size_t motions = 0, failed = 0;
  std::vector<VolumeAt> forward;   ///< from the cloud
  std::vector<VolumeAt> reversed;  ///< from the cloud with all speeds reversed
  /// Mean rate of ln V over the cloud, and its standard deviation over the root of the number of motions.
  double rate = 0, error = 0;
  double reversed_rate = 0, reversed_error = 0;
  /// max |f(Ry) + R f(y)| over the cloud, relative to the size of f, with R the reversal of speeds: 0 for reversible motions.
  double asymmetry = 0;
  /// With a density ρ: the largest |ln ρ(y(t)) − ln ρ(y(0)) + ln V(t)|; 0 where ρ dy is invariant.
  std::optional<double> violation;
};

struct VolumeQuestion {
  double until = 10;
  std::size_t motions = 100;
  double width = 0.1;  ///< of the cloud: speeds, and coordinates that no constraint binds, differ by so much
  std::size_t samples = 50;
  std::optional<Expr> density;  ///< in configuration, velocities and quasi-velocities
  double rtol = 1e-10;
};

/// Where constraints bind the state the volume is that of {φ = 0} with the admissible velocities over it (bound_volume.hpp), and the density
/// is one of the speeds that derivations take.
PhaseVolume phase_volume(const Flow& flow, std::span<const double> y, const VolumeQuestion& question);

}  // namespace rattleback
