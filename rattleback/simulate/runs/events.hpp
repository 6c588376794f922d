#pragma once
/// Event detection: zeros of a function of the state along a motion, found on the dense output of each step.

#include <functional>
#include <string>
#include <vector>

#include <rattleback/simulate/steppers/stepper.hpp>

namespace rattleback {

struct Crossing {
  std::size_t event = 0;  ///< which function
  double time = 0;
  int direction = 0;  ///< +1 upwards, −1 downwards, 0 touches zero without crossing (a double root)
  std::vector<double> state;
};

/// Crossings of g within the stepper's last step, by time. g is sampled between the ends, so that two roots in one step
/// are seen; a sign change is then bisected to rounding, and a smallest |g| between samples is searched for a double root.
std::vector<Crossing> crossings(const Stepper& stepper,
                                const std::function<double(double, std::span<const double>)>& g);

}  // namespace rattleback
