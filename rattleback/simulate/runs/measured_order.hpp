#pragma once
/// Measured order of convergence and drift of each stepper on a given motion.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

struct MeasuredOrder {
  std::string method;
  int claimed = 0;
  double step = 0;                     ///< the longer of the two steps
  double error = 0;                    ///< at the end, largest component, with that step
  double order = 0;                    ///< log₂ of error over error with half the step
  double energy_drift = 0;             ///< relative, with that step; nan where the energy is not constant
  std::optional<std::string> refused;  ///< why the method does not apply, or failed
};

/// Every method of constant step on the motion through y, against Taylor series at the limit of double. Methods of higher order
/// than 4 take steps four times as long, to stay above rounding.
std::vector<MeasuredOrder> measured_orders(const Flow& flow, std::span<const double> y, double until,
                                           double step);

}  // namespace rattleback
