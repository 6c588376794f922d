#pragma once
/// Which constraints are redundant, contradictory, holonomic or nonholonomic: by Frobenius on the whole system.

#include <vector>

#include <rattleback/model/triage.hpp>
#include <rattleback/model/velocity_rows.hpp>

namespace rattleback {

struct Constraints {
  std::vector<ConstraintKind> kinds;  ///< one for each constraint of the system
  std::vector<int> growth_vector;     ///< of D = {A v = 0}; empty when a constraint is nonlinear
  std::optional<Growth> growth_at_start;
  int holonomic_dimension = 0;  ///< independent functions that are constant along every admissible motion
  std::vector<Expr> integrals;  ///< those with a closed form
  bool drifts = false;          ///< b ≠ 0, or A depends on time
};

/// Integrability is decided on Q × time where time or affine parts occur: A v + b = 0 is then the one-form
/// A_i θ^i + b dt, so that x' = k counts as holonomic: x − k t is constant.
Constraints understood(const System& system, const VelocityRows& rows);

}  // namespace rattleback
