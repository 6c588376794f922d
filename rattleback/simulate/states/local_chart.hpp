#pragma once
/// Local charts of the admissible velocities: near any state where the constraints are independent, some velocities of the frame determine
/// the others and serve as speeds. For methods that step in independent speeds, where those of the model have a pole.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

/// A motion where one flow hands over to another: the same configuration and velocity in other speeds.
struct ChartedState {
  Flow flow;
  std::vector<double> state;
};

/// The state of one flow as one of another flow of the same system.
std::vector<double> state_in(const Flow& other, const Flow& flow, double t, std::span<const double> y);

/// "y', theta'".
std::string speeds_told(const Flow& flow);

/// In the velocities that A(q, t) v + b = 0 leaves free when it is solved for those with the largest columns, one after the other
/// (column pivoting). Nothing where the flow has these speeds already, or A loses its rank.
/// Throws Error[nonlinear-constraint] where the constraints are not linear or affine in the velocities.
std::optional<ChartedState> in_local_chart(const Flow& flow, double t, std::span<const double> y);

}  // namespace rattleback
