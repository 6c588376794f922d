#pragma once
/// Phase volume under the map of a stepper: what a numerical method does to an invariant measure.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// Along the steps y_{k+1} = Φ_h(y_k) of a method, ln V_N = Σ ln |det ∂Φ_h/∂y(y_k)| by StepDerivative. Where ρ dy is invariant, ln ρ(y_N) − ln ρ(y_0) + ln V_N vanishes for the motion itself.
struct StepVolume {
  std::vector<double> time, drift;  ///< at samples: that sum, with ln ρ = 0 where no density is given
  double largest = 0;               ///< of |drift|, over all steps
  std::size_t steps = 0;
  bool is_exact = false;               ///< the derivative of a step
  double error = 0;                    ///< of drift at the end, estimated; 0 where the derivative is exact
  std::optional<std::string> failure;  ///< why the method did not go on
};

struct StepVolumeQuestion {
  std::string method;
  double step = 0;
  std::size_t steps = 1000, samples = 100;
  std::optional<Expr> density;  ///< in configuration, velocities and quasi-velocities
};

/// Throws Error[usage] where the state is bound by constraints the method chooses its steps itself, or has memory; Error[method-does-not-apply].
StepVolume step_volume(const Flow& flow, std::span<const double> y, const StepVolumeQuestion& question);

}  // namespace rattleback
