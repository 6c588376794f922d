#include <rattleback/proof/steady/no_steady_motion.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/common_zeros.hpp>
#include <rattleback/model/positions.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/proof/evidence/locus.hpp>
#include <rattleback/proof/steady/equilibria.hpp>
#include <rattleback/proof/steady/speed_charts.hpp>

namespace rattleback {
namespace {

/// Parameters that the model leaves out by the value 0, where there are steady motions without them.
std::optional<Locus> exception_at_zero(const System& system) {
  SymbolMap zeros;
  Locus locus;
  for (const Parameter& p : system.parameters) {
    if (!p.value || !p.value->is_zero()) continue;
    zeros.emplace(p.symbol, Expr(0));
    locus.emplace_back(p.symbol);
  }
  if (zeros.empty()) return std::nullopt;
  const System without = substituted(system, zeros);
  const OnPositions there(without);
  if (steady_motions(without, solved_velocities(without)).families.empty()) return std::nullopt;
  return locus;
}

/// What the charts of speeds see, until one of them sees a steady motion.
struct SeenByCharts {
  std::optional<System> chart;  ///< that sees one
  SteadyMotions found;          ///< by it
  std::vector<Expr> minors;     ///< of charts whose equations were solved, without a steady motion
  std::size_t charts = 0;
};
SeenByCharts seen_by_charts(const System& system) {
  const Budget budget(work_limits::no_steady_motion);
  SeenByCharts seen;
  for (const auto& [chart, minor] : speed_charts(system)) {
    ++seen.charts;
    seen.found = steady_motions(chart, solved_velocities(chart));
    if (!seen.found.families.empty()) {
      seen.chart = chart;
      return seen;
    }
    if (seen.found.complete && !seen.found.dropped) seen.minors.push_back(minor);
  }
  return seen;
}

std::optional<SeenByCharts> seen_within_reason(const System& system) {
  try {
    return seen_by_charts(system);
  } catch (const Exhausted&) {
    Budget::check();
    return std::nullopt;
  }
}

Answer seen_answer(const SeenByCharts& seen) {
  return equilibria_answer(*seen.chart, solved_velocities(*seen.chart), seen.found);
}

/// Where the speeds degenerate, others are asked: the answer with those that see a steady motion, or one that none does.
Answer with_other_speeds_or_none(const System& system, Answer a) {
  const auto seen = seen_within_reason(system);
  if (seen && seen->chart) return seen_answer(*seen);
  const bool everywhere = seen && !seen->minors.empty() && !common_zeros(seen->minors);
  const bool solved = seen && seen->charts > 0 && seen->minors.size() == seen->charts;
  if (!everywhere && !solved) {
    a.obstacle =
        "no state at which the speeds are regular is a relative equilibrium, and they are not regular "
        "everywhere";
    a.next_step = "give other speeds in [velocities], regular where you expect a steady motion";
    return a;
  }
  a.outcome = Outcome::refuted;
  a.evidence = Certificate{false, 100, "factors of polynomials, zero tests at random points"};
  a.why.push_back(
      fmt::format("no state{} is a relative equilibrium (O.10), for parameters in general position",
                  everywhere ? "" : " at which the constraints are independent"));
  return a;
}

}  // namespace

std::optional<Answer> with_other_speeds(const System& system) {
  const auto seen = seen_within_reason(system);
  return seen && seen->chart ? std::optional(seen_answer(*seen)) : std::nullopt;
}

Answer no_steady_motion(const System& system, const SolvedVelocities& v, Answer a,
                        const SteadyMotions& found) {
  // Where the speeds degenerate there are no equations of motion.
  const bool apart = found.singular && !v.linear && !found.dropped && degenerate_with_constraints(system, v);
  if (found.singular && !apart) return with_other_speeds_or_none(system, std::move(a));
  a.outcome = Outcome::refuted;
  a.evidence = Certificate{false, 100, "factors of polynomials, zero tests at random points"};
  a.why.push_back(
      fmt::format("no state{} is a relative equilibrium (O.10), for parameters in general position",
                  apart ? " at which the constraints are independent" : ""));
  for (const std::string& branch : v.notes) a.why.push_back(branch);
  if (const auto zeros = exception_at_zero(system)) {
    a.unless.push_back(*zeros);
    a.why.push_back(
        fmt::format("where {}, as in this model, there are: --set puts the values in", text(*zeros)));
  }
  return a;
}

}  // namespace rattleback
