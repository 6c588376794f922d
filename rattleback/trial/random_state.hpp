#pragma once
/// Random states of a flow that satisfy every constraint, and random exact values for parameters.

#include <optional>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>
#include <rattleback/trial/finding.hpp>

namespace rattleback {

/// A state of the flow: coordinates of order 1, unit quaternions, speeds of order 1. Position constraints are met by Newton's method.
/// Nothing where no state with finite rates was found.
std::optional<std::vector<double>> random_state(const Flow& flow, Random& random);

/// Newton's method onto the position constraints φ(q) = 0, then velocities onto the constraints. False when it does not converge.
bool meets_constraints(const Flow& flow, std::vector<double>& y);

/// A system at exact values of its parameters, with the values, and as `--set` takes them.
struct AtValues {
  System system;
  SymbolMap values;
  std::string set;
};
/// The system at these values, put in place of its parameters.
AtValues at_values(const System& system, const SymbolMap& values);
/// Random values near those of the model; signs of positive parameters are kept.
AtValues at_random_values(const System& system, Random& random);

}  // namespace rattleback
