#include <rattleback/model/checks/triage.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/checks/plausibility.hpp>
#include <rattleback/model/checks/regularity.hpp>
#include <rattleback/model/checks/wrong_parametrization.hpp>
#include <rattleback/model/system/first_order_form.hpp>
#include <rattleback/model/system/positions.hpp>

namespace rattleback {
namespace {

void report_contradictions(const System& system, Triage& found) {
  for (std::size_t s = 0; s < found.constraints.size(); ++s) {
    const ConstraintKind& kind = found.constraints[s];
    const Constraint& c = system.constraints[s];
    const auto factors = kind.writing == Writing::nonlinear ? factors_that_constrain(c) : std::vector<Expr>();
    if (factors.size() > 1) found.problems.push_back(split_constraint(c, factors));
    if (kind.effect != Effect::inconsistent && kind.effect != Effect::singular) continue;
    found.problems.push_back(impossible_constraint(c, kind.note, kind.effect == Effect::inconsistent));
  }
  if (!found.problems.empty()) return;
  if (auto error = degenerate_positions(system)) found.problems.push_back(*std::move(error));
}

void report_degeneracy(const System& system, Triage& found) {
  if (found.regularity.kind != Regularity::Kind::degenerate || is_first_order(system)) return;
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

/// Where all minors vanish and position constraints may hold. Minors of long rows are longer than anyone would read, and take their time.
std::optional<RankDrop> readable_rank_drop(const System& system, const Matrix& slopes) {
  constexpr std::size_t searched_up_to = search_limits::rank_drop_of_constraints.count;
  std::size_t size = 0;
  for (const Expr e : slopes.entries()) size += written_size(e);
  if (size > searched_up_to) return std::nullopt;
  RankDrop drop = rank_drop(slopes);
  std::vector<std::vector<Expr>> loci;
  for (const std::vector<Expr>& locus : drop.loci) {
    if (auto stated = common_zeros(locus); stated && may_meet_positions(system, *stated))
      loci.push_back(std::move(*stated));
  }
  drop.loci = std::move(loci);
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

/// What everything else rests on, so that the triage ends where its time is over: it has five seconds at least.
template <class F>
auto in_time(const TriageLimits& limits, F compute) {
  constexpr double least = 5;
  std::optional<Budget> budget;
  if (limits.seconds)
    budget.emplace(Limits{.time = std::chrono::duration<double>(std::max(*limits.seconds, least))});
  return compute();
}

}  // namespace

bool within_limits(const TriageLimits& limits, const std::string& part, const std::function<void()>& run) {
  if (limits.next) limits.next(part);
  if (!limits.seconds) {
    run();
    return true;
  }
  try {
    const Budget budget({.time = std::chrono::duration<double>(*limits.seconds)});
    run();
    return true;
  } catch (const Exhausted&) {
    Budget::check();  // the time limit of the caller
    return false;
  }
}

std::optional<RankDrop> rank_drop_of_constraints(const System& system) {
  if (system.constraints.empty()) return RankDrop{};
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  if (std::find(rows.affine.begin(), rows.affine.end(), false) != rows.affine.end()) return std::nullopt;
  const OnVariety here(variety_with_points(system));
  return readable_rank_drop(system, rows.a);
}

Triage triage(const System& system, const TriageLimits& limits) {
  const OnVariety here(variety_with_points(system));
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  const bool linear = std::find(rows.affine.begin(), rows.affine.end(), false) == rows.affine.end();

  Triage found;
  found.dimension = system.space.dimension();
  // The slopes at a generic velocity; for linear constraints they are the matrix A.
  const Matrix slopes = linear ? rows.a : jacobian(functions, system.space.velocities());
  found.rank = functions.empty() ? 0 : in_time(limits, [&] { return rank(slopes); });
  const auto part = [&](const std::string& name, const std::function<void()>& run) {
    if (!within_limits(limits, name, run)) found.open.push_back(name);
  };
  if (!functions.empty()) {
    found.rank_drop.reset();
    part("where the rank of the constraints drops",
         [&] { found.rank_drop = readable_rank_drop(system, slopes); });
  }
  Constraints constraints = understood(system, rows, limits);
  found.open.insert(found.open.end(), constraints.open.begin(), constraints.open.end());
  part("the growth vector at the initial configuration",
       [&] { found.growth_at_start = growth_at_start(system, constraints); });
  found.constraints = std::move(constraints.kinds);
  found.growth_vector = std::move(constraints.growth_vector);
  found.holonomic_dimension = constraints.holonomic_dimension;
  found.integrals = std::move(constraints.integrals);
  found.drifts = constraints.drifts;
  found.regularity = regularity(system, limits, found.open);
  if (!system.velocities.empty())
    found.velocities_are_a_frame =
        linear && in_time(limits, [&] { return velocities_are_a_frame(system, rows); });
  report_velocities(system, found, linear);
  if (auto wrong = wrong_parametrization(system)) found.problems.push_back(*std::move(wrong));
  report_contradictions(system, found);
  report_degeneracy(system, found);
  found.warnings = system.warnings;
  part("the initial state", [&] {
    for (Error& doubt : doubts(system, found)) found.warnings.push_back(std::move(doubt));
  });
  return found;
}

}  // namespace rattleback
