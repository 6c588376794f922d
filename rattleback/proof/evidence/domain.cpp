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
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
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
    generic = std::max(generic, constraint_rank(system, v, state));
  const std::vector<Numbers> there = random_states(system, v.speeds, states, {e});
  return std::any_of(there.begin(), there.end(),
                     [&](const Numbers& state) { return constraint_rank(system, v, state) < generic; });
}

/// Conditions under which the constraints are independent; for those that are not linear, under which v = ψ(q, z) solves them.
std::vector<std::string> conditions_on_speeds(const System& system, const SolvedVelocities& v) {
  std::vector<std::string> all;
  for (const Assumption& a : simplified(v.where)) {
    const bool nonzero = a.kind == Assumption::Kind::nonzero;
    if (v.linear && nonzero && !constraints_lose_rank(system, v, a.expression)) continue;
    all.push_back(written_size(a.expression) <= readable
                      ? fmt::format("{} {} 0", text(a.expression), nonzero ? "!=" : ">")
                      : "the constraints are independent");
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Does det G vanish at a state? By Newton's method at the model's values.
bool degenerates(const System& system, const ProjectedMotion& motion) {
  constexpr int most = search_limits::metric_determinant.count,
                states = search_limits::degenerate_metric.count;
  if (motion.metric.rows() == 0 || motion.metric.rows() > most) return false;
  const Expr det = determinant(motion.metric);
  if (symbols_of(det).empty()) return false;
  const std::vector<Numbers> there = random_states(system, motion.velocities.speeds, states, {det});
  return std::any_of(there.begin(), there.end(),
                     [&](const Numbers& state) { return has_regular_speeds(motion.velocities, state); });
}

/// Conditions under which the motion is defined.
std::vector<std::string> conditions_on_motion(const System& system) {
  std::vector<std::string> where;
  try {
    const Budget budget(work_limits::energy_rate);
    const SolvedVelocities v = solved_velocities(system);
    where = conditions_on_speeds(system, v);
    if (degenerates(system, projected_motion(system, v))) where.emplace_back("the kinetic energy is regular");
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
