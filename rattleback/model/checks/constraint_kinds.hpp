#pragma once
/// Which constraints are redundant, contradictory, holonomic or nonholonomic: by Frobenius on the whole system.

#include <optional>
#include <vector>

#include <rattleback/geometry/distribution.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

namespace rattleback {

struct Constraints {
  std::vector<ConstraintKind> kinds;  ///< one for each constraint of the system
  std::optional<Distribution> D;      ///< {A v = 0}, when all are linear or affine and one is not redundant
  std::vector<int> growth_vector;     ///< of D; empty when a constraint is nonlinear
  int holonomic_dimension = 0;  ///< independent functions that are constant along every admissible motion
  std::vector<Expr> integrals;  ///< those with a closed form
  bool drifts = false;          ///< b ≠ 0, or A depends on time
  std::vector<std::string> open;
};

/// Integrability is decided on Q × time where time or affine parts occur: A v + b = 0 is then the one-form
/// A_i θ^i + b dt, so that x' = k counts as holonomic: x − k t is constant.
/// Parts that take longer than the limits allow are named in `open`, and what they decide is left undecided.
Constraints understood(const System& system, const VelocityRows& rows, const TriageLimits& limits = {});

/// The growth vector at the initial configuration, where that is special. Nothing where the fields of D are not defined
/// or not independent there, and where the brackets are too many to follow.
std::optional<Growth> growth_at_start(const System& system, const Constraints& constraints);

/// Frobenius: functions that all vanish exactly where the constraints are integrable, ω^s([X_a, X_b]) on Q, or on Q × time as above, for
/// fields X_a that span {A v + b = 0}; and, each by itself, what was taken for nonzero to find such fields.
struct IntegrabilityConditions {
  std::vector<Expr> curvature;
  Assumptions where;
};
IntegrabilityConditions integrability_conditions(const System& system);

/// Functions in closed form that the constraints alone keep constant.
std::vector<Expr> holonomic_integrals(const System& system);

/// Ends the note of a redundant constraint: beside N, too, or on N alone, where leaving it out may let in other positions.
inline constexpr const char *follows_identically = " = 0 identically",
                            *follows_on_positions = " = 0 where the position constraints hold";

}  // namespace rattleback
