#include <rattleback/model/triage.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/assumptions.hpp>
#include <rattleback/algebra/display_order.hpp>
#include <rattleback/algebra/exact.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/known_sign.hpp>
#include <rattleback/model/constraint_kinds.hpp>
#include <rattleback/model/impossible_constraint.hpp>
#include <rattleback/model/plausibility.hpp>
#include <rattleback/model/regularity.hpp>

namespace rattleback {
namespace {

void report_contradictions(const System& system, Triage& found) {
  for (std::size_t s = 0; s < found.constraints.size(); ++s) {
    const ConstraintKind& kind = found.constraints[s];
    if (kind.effect != Effect::inconsistent && kind.effect != Effect::singular) continue;
    found.problems.push_back(
        impossible_constraint(system.constraints[s], kind.note, kind.effect == Effect::inconsistent));
  }
}

void report_degeneracy(const System& system, Triage& found) {
  if (found.regularity.kind != Regularity::Kind::degenerate) return;
  found.problems.push_back(Error("degenerate-energy", "the Lagrangian is not regular on the constraint",
                                 found.regularity.why, "add the missing inertia, or constrain that direction")
                               .at(system.lagrangian_place));
}

void report_velocities(const System& system, Triage& found, bool linear) {
  if (!linear || found.velocities_are_a_frame.value_or(true)) return;
  found.problems.push_back(Error("velocities-not-a-frame",
                                 "the quasi-velocities of [velocities] do not parametrise the constraint",
                                 fmt::format("{} given, {} degrees of freedom; they must be independent of "
                                             "each other and of the constraints",
                                             system.velocities.size(), found.degrees_of_freedom()),
                                 fmt::format("give {} independent velocities, or leave [velocities] out",
                                             found.degrees_of_freedom()))
                               .at(system.velocities.front().place));
}

/// The loci as a person would state them: common numeric and nonvanishing factors dropped, each condition once.
RankDrop shortened(RankDrop drop) {
  for (std::vector<Expr>& locus : drop.loci) {
    std::vector<Expr> kept;
    for (const Expr e : locus) {
      // e = 0 iff one of its factors vanishes; only a single factor is a simpler condition.
      const Assumptions factors = simplified({{e, Assumption::Kind::nonzero, {}}});
      const Expr shorter = factors.size() == 1 ? factors[0].expression : short_form(e);
      if (std::find(kept.begin(), kept.end(), shorter) == kept.end()) kept.push_back(shorter);
    }
    locus = std::move(kept);
  }
  return drop;
}

/// Can all of them vanish at once? Not when squares of some of them add up to something positive: sin² + cos², or the
/// squares of a row of a rotation matrix.
bool is_impossible(const std::vector<Expr>& locus) {
  const auto never_zero = [](Expr squares) {
    return known_sign(short_form(squares)) == KnownSign::positive || vanishes_at_random_points(squares - 1);
  };
  for (std::size_t i = 0; i < locus.size(); ++i) {
    for (std::size_t j = i; j < locus.size(); ++j) {
      const Expr two = pow(locus[i], 2) + (i == j ? Expr(0) : pow(locus[j], 2));
      if (never_zero(two)) return true;
      for (std::size_t k = j + 1; k < locus.size() && i != j; ++k) {
        if (vanishes_at_random_points(two + pow(locus[k], 2) - 1)) return true;
      }
    }
  }
  return false;
}

/// Minors of long rows are longer than anyone would read, and take their time.
std::optional<RankDrop> readable_rank_drop(const Matrix& slopes) {
  constexpr std::size_t readable = 2000;
  std::size_t size = 0;
  for (const Expr e : slopes.entries()) size += written_size(e);
  if (size > readable) return std::nullopt;
  RankDrop drop = shortened(rank_drop(slopes));
  std::erase_if(drop.loci, is_impossible);
  return drop;
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
  if (!functions.empty()) found.rank_drop = readable_rank_drop(slopes);
  Constraints constraints = understood(system, rows);
  found.constraints = std::move(constraints.kinds);
  found.growth_vector = std::move(constraints.growth_vector);
  found.growth_at_start = std::move(constraints.growth_at_start);
  found.holonomic_dimension = constraints.holonomic_dimension;
  found.integrals = std::move(constraints.integrals);
  found.regularity = regularity(system);
  if (!system.velocities.empty())
    found.velocities_are_a_frame = linear && velocities_are_a_frame(system, rows);
  report_velocities(system, found, linear);
  report_contradictions(system, found);
  report_degeneracy(system, found);
  found.warnings = system.warnings;
  for (Error& doubt : doubts(system, found)) found.warnings.push_back(std::move(doubt));
  return found;
}

}  // namespace rattleback
