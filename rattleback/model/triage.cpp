#include <rattleback/model/triage.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/geometry/flag.hpp>
#include <rattleback/model/constraint_kinds.hpp>
#include <rattleback/model/plausibility.hpp>
#include <rattleback/model/regularity.hpp>

namespace rattleback {
namespace {

void report_contradictions(const System& system, Triage& found) {
  for (std::size_t s = 0; s < found.constraints.size(); ++s) {
    const ConstraintKind& kind = found.constraints[s];
    if (kind.effect != Effect::inconsistent) continue;
    found.problems.push_back(Error("inconsistent-constraints",
                                   fmt::format("constraint `{}` cannot be satisfied", kind.name), kind.note,
                                   "correct it or delete it")
                                 .at(system.constraints[s].place));
  }
}

void report_degeneracy(const System& system, Triage& found) {
  if (found.regularity.kind != Regularity::Kind::degenerate) return;
  found.problems.push_back(Error("degenerate-energy", "the Lagrangian is not regular on the constraint",
                                 found.regularity.why, "add the missing inertia, or constrain that direction")
                               .at(system.lagrangian_place));
}

/// Do the quasi-velocities together with the constraints determine every velocity?
bool velocities_are_a_frame(const System& system, const VelocityRows& constraints) {
  std::vector<Expr> functions;
  for (const QuasiVelocity& z : system.velocities) functions.push_back(z.expression);
  const VelocityRows given = velocity_rows(system.space, functions);
  if (std::find(given.affine.begin(), given.affine.end(), false) != given.affine.end()) return false;
  const int independent = rank(constraints.a), n = system.space.dimension();
  return independent + given.count() == n && rank(above(constraints.a, given.a)) == n;
}

}  // namespace

Triage triage(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  const bool linear = std::find(rows.affine.begin(), rows.affine.end(), false) == rows.affine.end();

  Triage found;
  found.dimension = system.space.dimension();
  // The slopes at a generic velocity; for linear constraints they are the matrix A.
  const Matrix slopes = linear ? rows.a : jacobian(functions, system.space.velocities());
  found.rank = functions.empty() ? 0 : rank(slopes);
  found.constraints = constraint_kinds(system, rows);
  if (!functions.empty()) found.rank_drop = rank_drop(slopes);
  if (linear) {
    const Distribution D = Distribution::annihilated_by(system.space, from_rows(system.space, rows.a));
    found.growth_vector = growth_vector(D);
    const HolonomicPart part = holonomic_part(system, rows);
    found.holonomic_dimension = part.dimension;
    found.integrals = part.integrals;
  }
  found.regularity = regularity(system);
  if (!system.velocities.empty())
    found.velocities_are_a_frame = linear && velocities_are_a_frame(system, rows);
  report_contradictions(system, found);
  report_degeneracy(system, found);
  found.warnings = system.warnings;
  for (Error& doubt : doubts(system, found)) found.warnings.push_back(std::move(doubt));
  return found;
}

}  // namespace rattleback
