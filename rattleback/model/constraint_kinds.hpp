#pragma once
/// Which constraints are redundant, contradictory, holonomic or nonholonomic: by Frobenius on the whole system.

#include <vector>

#include <rattleback/model/triage.hpp>
#include <rattleback/model/velocity_rows.hpp>

namespace rattleback {

/// Writing and effect of every constraint. Integrability is decided on Q × time, where A v + b = 0 is the one-form
/// A_i θ^i + b dt, so that x' = k counts as holonomic: x − k t is constant.
std::vector<ConstraintKind> constraint_kinds(const System& system, const VelocityRows& rows);

/// Functions that are constant along every admissible motion: how many, and those with a closed form.
struct HolonomicPart {
  int dimension = 0;
  std::vector<Expr> integrals;
};
HolonomicPart holonomic_part(const System& system, const VelocityRows& rows);

}  // namespace rattleback
