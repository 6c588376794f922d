#pragma once
/// Multiprecision integration: a motion in long double or in floating point numbers of 32 to 1000 bits, by Taylor series or by the
/// Runge–Kutta methods of constant step whose coefficients are known exactly.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/simulate/runs/trajectory.hpp>

namespace rattleback {

/// `long-double` (64 bits), `dd` (106 bits) or a number of bits. Throws Error[usage].
struct Precision {
  bool is_long_double = false;
  long bits = 0;
  std::string name;
};
Precision precision(const std::string& given);

struct PreciseMotion {
  std::vector<std::string> names;
  std::vector<std::string> final_row;          ///< all digits
  std::vector<double> final_state;             ///< the same, as the flow has it, in double
  std::vector<double> t;                       ///< of the samples
  std::vector<std::vector<std::string>> rows;  ///< at the samples
  double end = 0;
  std::vector<Drift> drift;  ///< computed in that precision
  std::size_t steps = 0, order = 0;
  bool exact_start = true;  ///< false: values of the initial state that the constraints determine are doubles
  std::optional<std::string> failure;
};

/// From the state y, whose variables take their exact initial values where the model gives them directly. Of the options:
/// until, samples, invariants, method and its step. Throws Error[method-does-not-apply].
PreciseMotion precise_motion(const Flow& flow, std::span<const double> y, const RunOptions& options,
                             const Precision& precision);

}  // namespace rattleback
