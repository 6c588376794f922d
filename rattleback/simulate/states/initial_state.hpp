#pragma once
/// Consistent initial conditions: the values that the user gives, completed from the constraints where these determine the rest.

#include <string>
#include <vector>

#include <rattleback/simulate/states/flow.hpp>

namespace rattleback {

struct InitialOptions {
  bool project =
      false;  ///< to the nearest admissible position and velocity, in the metric of the kinetic energy
  double time = 0;
  const std::vector<InitialValue>* given = nullptr;  ///< in place of those of the flow's system
  std::vector<std::string>* branches =
      nullptr;  ///< where to tell that the constraints allow several positions
};

/// The state (q, z) of the flow whose positions and velocity v = ψ(q, z) have the given values, by Newton's method.
///
/// Throws Error[incomplete-initial-state] when they leave something open that the constraints do not determine,
/// Error[off-constraint] when they contradict the constraints, Error[singular-state] where the constraints lose their rank
/// or the rates are not defined.
std::vector<double> initial_state(const Flow& flow, const InitialOptions& how = {});

/// A motion ready to start: in the speeds of the model, or in all velocities where the former have a pole at the start; with local speeds,
/// in some velocities that determine the others.
struct StartedMotion {
  Flow flow;
  std::vector<double> state;
  std::vector<std::string> notes;     ///< that other speeds took over
  std::vector<std::string> branches;  ///< positions between which the constraints do not choose
};
/// With local speeds, for methods that need as many speeds as there are degrees of freedom, those are taken wherever they exist.
StartedMotion started_motion(System system, const InitialOptions& how = {},
                             Flow::Effort effort = Flow::Effort::quick, bool local_speeds = false);

/// The state of a flow from another start; nothing where its speeds have a pole near it. Throws what initial_state() throws.
std::optional<std::vector<double>> restarted(const Flow& flow, const InitialOptions& how);

}  // namespace rattleback
