#include <rattleback/proof/evidence/domain.hpp>

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/triage.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

constexpr std::size_t readable = legible::on_a_line.count;

/// Do the constraints lose rank where e = 0, at a state found by Newton's method? Otherwise only the speeds degenerate there, and what is
/// true on both sides of e = 0 is true on it.
bool constraints_lose_rank(const System& system, const SolvedVelocities& v, Expr e) {
  constexpr int states = search_limits::rank_of_constraints.count;
  int generic = 0;
  for (const Numbers& state : random_states(system, v.speeds, states))
    generic = std::max(generic, constraint_rank(system, v, state).value_or(0));
  const std::vector<Numbers> there = random_states(system, v.speeds, states, {e});
  return std::any_of(there.begin(), there.end(), [&](const Numbers& state) {
    return constraint_rank(system, v, state).value_or(generic) < generic;
  });
}

/// Conditions under which the constraints are independent. Where e > 0 fails there is no admissible velocity, or e = 0.
std::vector<std::string> conditions_on_speeds(const System& system, const SolvedVelocities& v) {
  std::vector<std::string> all;
  for (const Assumption& a : simplified(v.where)) {
    const bool nonzero = a.kind == Assumption::Kind::nonzero;
    if (!constraints_lose_rank(system, v, a.expression)) continue;
    all.push_back(written_size(a.expression) <= readable
                      ? fmt::format("{} {} 0", text(a.expression), nonzero ? "!=" : ">")
                      : "the constraints are independent");
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// "not (x = 0 and y = 0)": where the rank of the constraints drops on a set of several equations, as at the crossing of x*y = 0.
void add_common_drops(const System& system, const SolvedVelocities& v, std::vector<std::string>& all) {
  constexpr int states = search_limits::rank_of_constraints.count;
  const auto drop = rank_drop_of_constraints(system);
  if (!v.linear || !drop) return;
  for (const std::vector<Expr>& locus : drop->loci) {
    if (locus.size() < 2 && !constraints_lose_rank(system, v, locus.front())) continue;
    const std::vector<Numbers> there = random_states(system, v.speeds, states, locus);
    if (there.empty()) continue;
    std::vector<std::string> equations;
    if (locus.size() == 1) {
      const std::string condition = fits(locus.front(), legible::on_a_line)
                                        ? text(locus.front()) + " != 0"
                                        : "the constraints are independent";
      if (std::find(all.begin(), all.end(), condition) == all.end()) all.push_back(condition);
      continue;
    }
    for (const Expr e : locus) equations.push_back(text(e) + " = 0");
    all.push_back(fmt::format("not ({})", fmt::join(equations, " and ")));
  }
}

/// Does f vanish at a state where the speeds are regular? By Newton's method at the model's values.
bool vanishes_at_a_state(const System& system, const SolvedVelocities& v, Expr f) {
  constexpr int states = search_limits::degenerate_metric.count;
  const std::vector<Numbers> there = random_states(system, v.speeds, states, {f});
  return std::any_of(there.begin(), there.end(),
                     [&](const Numbers& state) { return has_regular_speeds(v, state); });
}

/// Where det G vanishes: "x != 0" for each factor of it that does; in words where the factors are long or have no zeros of their own.
void add_degenerate_metric(const System& system, const ProjectedMotion& motion,
                           std::vector<std::string>& where) {
  constexpr int most = search_limits::metric_determinant.count;
  if (motion.metric.rows() == 0 || motion.metric.rows() > most) return;
  const Expr det = determinant(motion.metric);
  if (symbols_of(det).empty() || !vanishes_at_a_state(system, motion.velocities, det)) return;
  bool is_stated = false;
  if (fits(det, legible::in_data)) {
    for (const Assumption& a : simplified({{det, Assumption::Kind::nonzero, {}}})) {
      if (!fits(a.expression, legible::on_a_line)) {
        is_stated = false;
        break;
      }
      if (!vanishes_at_a_state(system, motion.velocities, a.expression)) continue;
      const std::string condition = text(a.expression) + " != 0";
      if (std::find(where.begin(), where.end(), condition) == where.end()) where.push_back(condition);
      is_stated = true;
    }
  }
  if (!is_stated) where.emplace_back("the kinetic energy is regular");
}

/// Does f divide by velocities, or take roots or logarithms of them, as -sqrt(1 - x'^2) does?
bool limits_velocities(Expr f, std::span<const Symbol> velocities) {
  const Tape tape(std::span<const Expr>(&f, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    const Expr node = tape.node(slot);
    const bool limits = (node.is(Kind::power) && node.exponent() < 0) || is_call_of(node, Builtin::sqrt) ||
                        is_call_of(node, Builtin::log);
    if (limits && std::any_of(velocities.begin(), velocities.end(),
                              [&](Symbol v) { return contains(node.args()[0], v); }))
      return true;
  }
  return false;
}

/// Poles of the potential and the forces: "x^2 + y^2 != 0" for a planet, "1 - x'^2 > 0" for a relativistic particle.
void add_poles(const System& system, const SolvedVelocities& v, std::vector<std::string>& where) {
  std::vector<Expr> formulas = system.forces;
  formulas.push_back(system.lagrangian);
  const SymbolMap on_constraint = v.substitution(system.space);
  for (Expr f : formulas) {
    if (written_size(f) > legible::in_data.count) continue;
    const bool limits = limits_velocities(f, system.space.velocities());
    if (limits) f = substitute(f, on_constraint);
    for (const std::string& condition :
         conditions_on_witness(system, limits ? v.speeds : std::vector<Symbol>(), f, false)) {
      if (std::find(where.begin(), where.end(), condition) == where.end()) where.push_back(condition);
    }
  }
}

/// Conditions under which the motion is defined.
std::vector<std::string> conditions_on_motion(const System& system) {
  std::vector<std::string> where;
  try {
    const Budget budget(work_limits::energy_rate);
    const SolvedVelocities v = solved_velocities(system);
    where = conditions_on_speeds(system, v);
    add_common_drops(system, v, where);
    add_poles(system, v, where);
    add_degenerate_metric(system, projected_motion(system, v), where);
  } catch (const Exhausted&) {
    Budget::check();
    where.emplace_back("the motion is defined");
  } catch (const OutOfDomain&) {
    where.emplace_back("the motion is defined");
  } catch (const NoExactForm&) {
    where.emplace_back("the motion is defined");
  }
  return where;
}

/// The same for the system that was asked about last, without doing it again.
const std::vector<std::string>& remembered_conditions(const System& system) {
  thread_local std::vector<Expr> asked;
  thread_local std::vector<std::string> where;
  std::vector<Expr> now{system.lagrangian};
  now.insert(now.end(), system.forces.begin(), system.forces.end());
  for (const Constraint& c : system.constraints) now.push_back(c.expression);
  for (const QuasiVelocity& z : system.velocities) now.push_back(z.expression);
  for (const auto& [symbol, value] : parameter_values(system)) {
    now.emplace_back(symbol);
    now.push_back(value);
  }
  if (now != asked) {
    const UnchargedScope remembered;
    where = conditions_on_motion(system);
    asked = std::move(now);
  }
  return where;
}

}  // namespace

std::string text(const Domain& domain) {
  if (domain.where.empty() && !domain.local) return domain.space + ", everywhere";
  const std::string where =
      domain.where.empty() ? "" : fmt::format(" where {}", fmt::join(domain.where, " and "));
  return fmt::format("{}{}{}", domain.space, domain.local ? ", locally" : "",
                     domain.local && !where.empty() ? "," + where : where);
}

Data as_data(const Domain& domain) {
  Data d;
  d["space"] = domain.space;
  d["extent"] = domain.local ? "local" : domain.where.empty() ? "everywhere" : "dense open set";
  d["where"] = Data::List(domain.where.begin(), domain.where.end());
  return d;
}

Domain domain_in(const Data& answer) {
  Domain domain;
  const Data* d = answer.find("domain");
  if (d == nullptr) return domain;
  if (const Data* space = d->find("space"); space != nullptr && space->text() != nullptr)
    domain.space = *space->text();
  if (const Data* extent = d->find("extent"); extent != nullptr && extent->text() != nullptr)
    domain.local = *extent->text() == "local";
  if (const Data* where = d->find("where"); where != nullptr && where->list() != nullptr) {
    for (const Data& condition : *where->list()) {
      if (condition.text() != nullptr) domain.where.push_back(*condition.text());
    }
  }
  return domain;
}

void restrict_domain(Data& answer, const std::vector<std::string>& where, bool local) {
  Domain domain = domain_in(answer);
  for (const std::string& condition : where) {
    if (std::find(domain.where.begin(), domain.where.end(), condition) == domain.where.end())
      domain.where.push_back(condition);
  }
  domain.local = domain.local || local;
  answer["domain"] = as_data(domain);
}

Domain domain_of_motion(const System& system, const std::string& space) {
  Domain domain{space, {}, false};
  const bool positions = std::any_of(system.constraints.begin(), system.constraints.end(),
                                     [](const Constraint& c) { return c.position.has_value(); });
  if (positions) domain.space = space == "Q" ? "N" : space + " over N";
  if (space != "Q") domain.where = remembered_conditions(system);
  return domain;
}

std::vector<std::string> independence_conditions(const System& system) {
  std::vector<std::string> where;
  try {
    const Budget budget(work_limits::energy_rate);
    const SolvedVelocities v = solved_velocities(system);
    where = conditions_on_speeds(system, v);
    add_common_drops(system, v, where);
  } catch (const Exhausted&) {
    Budget::check();
    where = {"the constraints are independent"};
  } catch (const OutOfDomain&) {
    where = {"the constraints are independent"};
  } catch (const NoExactForm&) {
    where = {"the constraints are independent"};
  }
  return where;
}

void locate(const System& system, const std::string& space, Data& answer) {
  const Domain own = domain_in(answer);
  answer["domain"] = as_data(domain_of_motion(system, own.space.empty() ? space : own.space));
  restrict_domain(answer, own.where, own.local);
}

std::string space_of_question(const std::string& name) {
  static const std::map<std::string, std::string> spaces{
      {"regularity", "D"},
      {"integrability", "Q"},
      {"energy", "D"},
      {"symmetries", "Q"},
      {"momenta", "D"},
      {"conditionally-variational", "D"},
      {"integrals", "D"},
      {"invariant-measure", "D"},
      {"equilibria", "D/G"},
      {"jacobi", "D*"},
      {"chaplygin-multiplier", "D*/G"},
      {"routh-hamiltonization", "D*/G"},
      {"suslov-hamiltonization", "D*"},
      {"inverse-problem", "TQ"},
      {"optimal-control", "D"},
      {"hamiltonization", "D*"},
  };
  const auto found = spaces.find(name);
  return found == spaces.end() ? "D" : found->second;
}

}  // namespace rattleback
