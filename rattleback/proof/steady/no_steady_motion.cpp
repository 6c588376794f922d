#include <rattleback/proof/steady/no_steady_motion.hpp>

#include <optional>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/model/system/positions.hpp>
#include <rattleback/model/system/substituted.hpp>
#include <rattleback/proof/evidence/domain.hpp>
#include <rattleback/proof/evidence/locus.hpp>
#include <rattleback/proof/steady/speed_charts.hpp>

namespace rattleback {
std::string in_general_position(const System& system) {
  std::vector<Expr> formulas = system.forces;
  formulas.push_back(system.lagrangian);
  for (const Constraint& c : system.constraints) formulas.push_back(c.expression);
  const std::vector<Symbol> used = symbols_of(formulas);
  const bool any =
      std::any_of(used.begin(), used.end(), [](Symbol s) { return s.role() == Role::parameter; });
  return any ? ", for parameters in general position" : "";
}

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

Answer no_steady_motion(const System& system, const ChartedMotions& none, Answer a) {
  a.outcome = Outcome::refuted;
  a.evidence = Certificate{false, 100, "factors of polynomials, zero tests at random points"};
  a.why.push_back(fmt::format("no state{} is a relative equilibrium (O.10){}",
                              none.everywhere ? "" : " at which the constraints are independent",
                              in_general_position(system)));
  if (!none.everywhere) restrict_domain(a.answer, {"the constraints are independent"});
  for (const std::string& branch : none.charts.front()->v.notes) a.why.push_back(branch);
  if (const auto zeros = exception_at_zero(system)) {
    a.unless.push_back(*zeros);
    a.why.push_back(
        fmt::format("where {}, as in this model, there are: --set puts the values in", text(*zeros)));
  }
  return a;
}

}  // namespace rattleback
