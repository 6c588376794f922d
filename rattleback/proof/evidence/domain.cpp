#include <rattleback/proof/evidence/domain.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/undefined_states.hpp>

namespace rattleback {

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
  const Exclusions& excluded = exclusions_of(system);
  domain.where = conditions_of(space == "Q" ? excluded.configurations : excluded.states);
  return domain;
}

std::vector<Expr> not_excluded(const System& system, std::vector<Expr> functions) {
  const auto is_known = [&](Expr e) { return is_within(e, exclusions_of(system).states); };
  std::erase_if(functions, is_known);
  Assumptions conditions;
  for (const Expr e : functions) conditions.push_back({e, Assumption::Kind::nonzero, {}});
  functions.clear();
  for (const Assumption& a : simplified(conditions)) functions.push_back(a.expression);
  std::erase_if(functions, is_known);
  return functions;
}

std::string where_defined(const System& system, Expr f) {
  std::vector<Symbol> velocities = symbols_of(f);
  std::erase_if(velocities, [](Symbol s) { return s.role() != Role::velocity; });
  return where_defined(system, velocities, f);
}

std::string where_defined(const System& system, const std::vector<Symbol>& velocities, Expr f) {
  std::vector<std::string> parts;
  for (const WitnessCondition& c : limits_of_witness(system, velocities, f, false)) {
    const Excluded x{{c.e}, c.positive, "it has no poles"};
    const auto& known = exclusions_of(system).states;
    const bool repeated = (!c.positive && is_within(c.e, known)) ||
                          std::any_of(known.begin(), known.end(),
                                      [&](const Excluded& y) { return y.condition() == x.condition(); });
    if (!repeated) parts.push_back(x.condition());
  }
  return parts.empty() ? "" : fmt::format(" where {}", fmt::join(parts, " and "));
}

namespace {

/// e of a condition "e > 0" or "e != 0" that ends like this, in the symbols of the model. Nothing where it names others.
std::optional<Expr> function_in(const System& system, const std::string& condition, const std::string& end) {
  if (!condition.ends_with(end)) return std::nullopt;
  try {
    return parse(condition.substr(0, condition.size() - end.size()), system.scope);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Without e != 0 where e > 0 or -e > 0 is stated, too.
void drop_signed(const System& system, std::vector<std::string>& where) {
  std::vector<Expr> positive;
  for (const std::string& condition : where) {
    if (const auto e = function_in(system, condition, " > 0")) positive.push_back(*e);
  }
  if (positive.empty()) return;
  std::erase_if(where, [&](const std::string& condition) {
    const auto e = function_in(system, condition, " != 0");
    return e && std::ranges::any_of(positive, [&](Expr p) { return is_same_up_to_sign(*e, p); });
  });
}

}  // namespace

void locate(const System& system, const std::string& space, Data& answer) {
  const Domain own = domain_in(answer);
  answer["domain"] = as_data(domain_of_motion(system, own.space.empty() ? space : own.space));
  restrict_domain(answer, own.where, own.local);
  Domain all = domain_in(answer);
  drop_signed(system, all.where);
  answer["domain"] = as_data(all);
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
