#include <rattleback/proof/evidence/domain.hpp>

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/parse.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/proof/evidence/factors.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

/// A set about which nothing is stated: all of these vanish, or the one is not positive. Without any: it is only described.
struct Excluded {
  std::vector<Expr> zero;
  bool positive = false;
  std::string words = {};

  std::string condition() const {
    const bool fit =
        std::all_of(zero.begin(), zero.end(), [](Expr e) { return fits(e, legible::on_a_line); });
    if (zero.empty() || (!fit && zero.size() == 1)) return words;
    if (zero.size() == 1) return fmt::format("{} {} 0", text(zero.front()), positive ? ">" : "!=");
    std::vector<std::string> equations;
    for (const Expr e : zero) equations.push_back(text(e) + " = 0");
    return fmt::format("not ({})", fmt::join(equations, " and "));
  }
};

bool is_never_negative(Expr e) {
  const KnownSign sign = known_sign(e);
  return sign == KnownSign::zero || sign == KnownSign::nonnegative || sign == KnownSign::positive;
}

/// A sum of terms that are never negative, a power of each of the others among them: 4*y^2 + 9*x^4 of x and y.
bool is_sum_of_powers(Expr e, const std::vector<Expr>& others) {
  if (!e.is(Kind::sum)) return false;
  const auto terms = e.args();
  return std::all_of(terms.begin(), terms.end(), is_never_negative) &&
         std::all_of(others.begin(), others.end(), [&](Expr f) {
           return std::any_of(terms.begin(), terms.end(), [&](Expr t) {
             const Factors parts = factors(without_constant_factors(t));
             return parts.below.empty() && parts.above.size() == 1 && parts.above.front() == f;
           });
         });
}

/// Is every zero of e a common zero of f, g, ...? So it is where e - f^2 - g^2 - ... is never negative.
bool vanishes_only_with(Expr e, const std::vector<Expr>& others) {
  if (is_sum_of_powers(e, others)) return true;
  std::vector<Expr> terms{e};
  for (const Expr f : others) terms.push_back(-pow(f, 2));
  return is_never_negative(short_form(sum(terms)));
}

/// The same function up to its sign, as x^2 + 4*x*y + 5*y^2 and y^2 + (x + 2*y)^2.
bool is_same_up_to_sign(Expr e, Expr f) {
  return e == f || e == -f || vanishes_at_random_points(e - f) || vanishes_at_random_points(e + f);
}

/// Is e = 0 within what is excluded?
bool is_within(Expr e, const std::vector<Excluded>& all) {
  return std::any_of(all.begin(), all.end(), [&](const Excluded& x) {
    if (x.zero.size() == 1 && is_same_up_to_sign(x.zero.front(), e)) return true;
    return x.zero.size() > 1 && (vanishes_only_with(e, x.zero) || vanishes_only_with(-e, x.zero));
  });
}

/// Adds a set that is not within the others, in place of those within it.
void add(Excluded x, std::vector<Excluded>& all) {
  const std::string condition = x.condition();
  if (std::any_of(all.begin(), all.end(), [&](const Excluded& y) { return y.condition() == condition; }))
    return;
  if (x.zero.size() == 1 && !x.positive && is_within(x.zero.front(), all)) return;
  const auto is_one_of = [](const Excluded& single, const Excluded& several) {
    return single.zero.size() == 1 && several.zero.size() > 1 &&
           std::find(several.zero.begin(), several.zero.end(), single.zero.front()) != several.zero.end();
  };
  if (std::any_of(all.begin(), all.end(), [&](const Excluded& y) { return is_one_of(y, x); })) return;
  std::erase_if(all, [&](const Excluded& y) { return is_one_of(x, y); });
  if (x.zero.size() > 1)
    std::erase_if(all, [&](const Excluded& y) {
      return y.zero.size() == 1 && !y.positive && is_within(y.zero.front(), {x});
    });
  all.push_back(std::move(x));
}

/// Do the constraints lose rank where e = 0, at a state found by Newton's method? Otherwise only the speeds degenerate there, and what is
/// true on both sides of e = 0 is true on it.
bool constraints_lose_rank(const System& system, const SolvedVelocities& v, Expr e) {
  constexpr int states = search_limits::rank_of_constraints.count;
  int generic = 0;
  std::vector<double> sizes{0};
  for (const Numbers& state : random_states(system, v.speeds, states)) {
    generic = std::max(generic, constraint_rank(system, v, state).value_or(0));
    sizes.push_back(size_of_constraints(system, v, state));
  }
  std::sort(sizes.begin(), sizes.end());
  const double size = sizes[sizes.size() / 2];  // the middle one: others lie far apart
  const std::vector<Numbers> there = random_states(system, v.speeds, states, {e});
  return std::any_of(there.begin(), there.end(), [&](const Numbers& state) {
    return constraint_rank(system, v, state, size).value_or(generic) < generic;
  });
}

/// Where the constraints are dependent. Where e > 0 fails there is no admissible velocity, or e = 0.
std::vector<Excluded> where_speeds_fail(const System& system, const SolvedVelocities& v) {
  std::vector<Excluded> all;
  for (const Assumption& a : simplified(v.where)) {
    const bool nonzero = a.kind == Assumption::Kind::nonzero;
    if (constraints_lose_rank(system, v, a.expression))
      add({{a.expression}, !nonzero, "the constraints are independent"}, all);
  }
  std::sort(all.begin(), all.end(),
            [](const Excluded& x, const Excluded& y) { return x.condition() < y.condition(); });
  return all;
}

/// "not (x = 0 and y = 0)": where the rank of the constraints drops on a set of several equations, as at the crossing of x*y = 0.
void add_common_drops(const System& system, const SolvedVelocities& v, std::vector<Excluded>& all) {
  constexpr int states = search_limits::rank_of_constraints.count;
  const auto drop = rank_drop_of_constraints(system);
  if (!v.linear || !drop) return;
  for (const std::vector<Expr>& locus : drop->loci) {
    if (locus.size() < 2 && !constraints_lose_rank(system, v, locus.front())) continue;
    if (random_states(system, v.speeds, states, locus).empty()) continue;
    add({locus, false, "the constraints are independent"}, all);
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
                           std::vector<Excluded>& where) {
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
      add({{a.expression}}, where);
      is_stated = true;
    }
  }
  if (!is_stated) add({{}, false, "the kinetic energy is regular"}, where);
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

/// Does f take roots or absolute values, whose slopes may have a pole or jump where they vanish?
bool has_corners(Expr f) {
  const Tape tape(std::span<const Expr>(&f, 1));
  for (std::size_t slot = 0; slot < tape.size(); ++slot) {
    if (is_call_of(tape.node(slot), Builtin::sqrt) || is_call_of(tape.node(slot), Builtin::abs)) return true;
  }
  return false;
}

/// The formulas of the model: forces, constraints, the Lagrangian and, where they have corners, their slopes.
std::vector<Expr> formulas_of(const System& system) {
  std::vector<Expr> formulas = system.forces;
  for (const Constraint& c : system.constraints) formulas.push_back(c.expression);
  formulas.push_back(system.lagrangian);
  std::erase_if(formulas, [](Expr f) { return written_size(f) > legible::in_data.count; });
  const std::vector<Expr> written = formulas;
  for (const Expr f : written) {
    if (!has_corners(f)) continue;
    for (const Symbol q : system.space.functions()) formulas.push_back(derivative(f, q));
  }
  return formulas;
}

void add_poles_of(const System& system, const std::vector<Symbol>& velocities, Expr f,
                  std::vector<Excluded>& where) {
  for (const WitnessCondition& c : limits_of_witness(system, velocities, f, false))
    add({{c.e}, c.positive, "the formulas have no poles"}, where);
}

/// Where formulas of the model have poles or no real value: "x^2 + y^2 != 0" for a planet, "1 - x'^2 > 0" for a relativistic particle.
void add_poles(const System& system, const SolvedVelocities& v, std::vector<Excluded>& where) {
  const SymbolMap on_constraint = v.substitution(system.space);
  for (Expr f : formulas_of(system)) {
    const bool limits = limits_velocities(f, system.space.velocities());
    if (limits) f = substitute(f, on_constraint);
    add_poles_of(system, limits ? v.speeds : std::vector<Symbol>(), f, where);
  }
}

/// What `find` adds; in words where that takes too long.
template <class F>
std::vector<Excluded> found_in_time(const char* words, F find) {
  std::vector<Excluded> where;
  try {
    const Budget budget(work_limits::energy_rate);
    find(where);
  } catch (const Exhausted&) {
    Budget::check();
    where = {{{}, false, words}};
  } catch (const OutOfDomain&) {
    where = {{{}, false, words}};
  } catch (const NoExactForm&) {
    where = {{{}, false, words}};
  }
  return where;
}

/// What is excluded on Q, where formulas are not defined, and on D, where the motion is not.
struct Exclusions {
  std::vector<Excluded> configurations, states;
};

Exclusions exclusions_of(const System& system) {
  Exclusions found;
  found.configurations = found_in_time("the formulas have no poles", [&](std::vector<Excluded>& where) {
    for (const Expr f : formulas_of(system)) add_poles_of(system, {}, f, where);
  });
  found.states = found_in_time("the motion is defined", [&](std::vector<Excluded>& where) {
    const SolvedVelocities v = solved_velocities(system);
    where = where_speeds_fail(system, v);
    add_common_drops(system, v, where);
    add_poles(system, v, where);
    add_degenerate_metric(system, projected_motion(system, v), where);
  });
  return found;
}

/// The same for the system that was asked about last, without doing it again.
const Exclusions& remembered_exclusions(const System& system) {
  thread_local std::vector<Expr> asked;
  thread_local Exclusions where;
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
    where = exclusions_of(system);
    asked = std::move(now);
  }
  return where;
}

std::vector<std::string> conditions(const std::vector<Excluded>& all) {
  std::vector<std::string> texts;
  for (const Excluded& x : all) texts.push_back(x.condition());
  return texts;
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
  const Exclusions& excluded = remembered_exclusions(system);
  domain.where = conditions(space == "Q" ? excluded.configurations : excluded.states);
  return domain;
}

std::vector<Expr> not_excluded(const System& system, std::vector<Expr> functions) {
  const auto is_known = [&](Expr e) { return is_within(e, remembered_exclusions(system).states); };
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
    const auto& known = remembered_exclusions(system).states;
    const bool repeated = (!c.positive && is_within(c.e, known)) ||
                          std::any_of(known.begin(), known.end(),
                                      [&](const Excluded& y) { return y.condition() == x.condition(); });
    if (!repeated) parts.push_back(x.condition());
  }
  return parts.empty() ? "" : fmt::format(" where {}", fmt::join(parts, " and "));
}

std::vector<std::string> independence_conditions(const System& system) {
  if (system.constraints.empty()) return {};
  const auto drop = rank_drop_of_constraints(system);
  if (drop && drop->loci.empty()) return {};
  return conditions(found_in_time("the constraints are independent", [&](std::vector<Excluded>& where) {
    const SolvedVelocities v = solved_velocities(system);
    where = where_speeds_fail(system, v);
    add_common_drops(system, v, where);
  }));
}

std::vector<std::string> independence_conditions(const System& system,
                                                 const std::vector<VectorField>& fields) {
  if (system.constraints.empty()) return {};
  const auto drop = rank_drop_of_constraints(system);
  const auto stays = [&](Expr e) {
    return std::all_of(fields.begin(), fields.end(),
                       [&](const VectorField& X) { return vanishes_at_random_points(X(e)); });
  };
  const bool all_stay = drop && std::all_of(drop->loci.begin(), drop->loci.end(), [&](const auto& locus) {
                          return std::all_of(locus.begin(), locus.end(), stays);
                        });
  return all_stay ? std::vector<std::string>{} : independence_conditions(system);
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
