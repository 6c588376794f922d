#include <rattleback/proof/no_steady_motion.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/common_zeros.hpp>
#include <rattleback/model/substituted.hpp>
#include <rattleback/proof/equilibria.hpp>
#include <rattleback/proof/locus.hpp>
#include <rattleback/proof/speed_charts.hpp>

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
  if (steady_motions(without, solved_velocities(without)).families.empty()) return std::nullopt;
  return locus;
}

/// Where the speeds degenerate, others are asked: the answer with those that see a steady motion, or one that none does.
Answer with_other_speeds_or_none(const System& system, Answer a) {
  const std::vector<SpeedChart> charts = speed_charts(system);
  std::vector<Expr> minors;  // of those whose equations were solved
  for (const auto& [chart, minor] : charts) {
    const SolvedVelocities v = solved_velocities(chart);
    const SteadyMotions found = steady_motions(chart, v);
    if (!found.families.empty()) return equilibria_answer(chart, v, found);
    if (found.complete && !found.dropped) minors.push_back(minor);
  }
  const bool everywhere = !minors.empty() && !common_zeros(minors);
  if (!everywhere && (charts.empty() || minors.size() < charts.size())) {
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
  for (const auto& [chart, minor] : speed_charts(system)) {
    const SolvedVelocities v = solved_velocities(chart);
    const SteadyMotions found = steady_motions(chart, v);
    if (!found.families.empty()) return equilibria_answer(chart, v, found);
  }
  return std::nullopt;
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
