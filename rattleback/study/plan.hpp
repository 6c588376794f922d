#pragma once
/// Motion planning: inputs u(t) within their ranges that bring a system from its initial state to given values.
///
/// Direct single shooting. Inputs are polygons in time; a Newton method of least norm in the free corners meets the goals, with corners held
/// that stand at an end of their range; then the effort ∫ Σ u² dt is reduced along the directions that leave the goals met. A plan is
/// reported only after a run of its own, with the table as the law of the input and another stepper, has reached the goals.

#include <string>
#include <utility>
#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// A function of the state that shall have a value at the end.
struct Goal {
  std::string name;  ///< as the user wrote it: "x", "theta'", "x^2 + y^2"
  Expr expression;
  double value = 0;
};

/// A goal as people write it: an expression of the state, and its value, an expression of parameters that have values.
Goal stated_goal(const System& system, const std::string& name, const std::string& value);

struct PlanOptions {
  double duration = 1;
  int pieces = 20;         ///< of the polygons
  int starts = 12;         ///< guesses that are tried; the first is u = 0
  double accuracy = 1e-6;  ///< of every goal, in the run that verifies
};

struct Plan {
  bool found = false;
  std::vector<std::string> inputs;
  std::vector<std::pair<double, double>> ranges;  ///< of each input; infinite where none is stated
  std::vector<double> times;
  std::vector<std::vector<double>> corners;  ///< by input and time
  double effort = 0;                         ///< ∫ Σ u² dt
  std::vector<double> reached;               ///< the goals, by the run that verifies
  std::size_t verified_steps = 0;            ///< of that run
  int starts = 0;                            ///< guesses that were tried
  double nearest = 0;                        ///< where none was found: the largest miss of the best guess
};

/// Throws Error[no-inputs] for a model without inputs, and what initial states throw.
Plan plan(const System& system, const std::vector<Goal>& goals, const PlanOptions& options);

}  // namespace rattleback
