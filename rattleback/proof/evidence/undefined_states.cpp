#include <rattleback/proof/evidence/undefined_states.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/exact_ring.hpp>
#include <rattleback/algebra/arithmetic/search_limits.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/tape.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/proof/evidence/positivity.hpp>
#include <rattleback/proof/evidence/random_states.hpp>

namespace rattleback {
namespace {

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
      add_excluded({{a.expression}, !nonzero, "the constraints are independent"}, all);
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
    add_excluded({locus, false, "the constraints are independent"}, all);
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
      add_excluded({{a.expression}}, where);
      is_stated = true;
    }
  }
  if (!is_stated) add_excluded({{}, false, "the kinetic energy is regular"}, where);
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
    add_excluded({{c.e}, c.positive, "the formulas have no poles"}, where);
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

Exclusions searched_exclusions(const System& system) {
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

}  // namespace

const Exclusions& exclusions_of(const System& system) {
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
    where = searched_exclusions(system);
    asked = std::move(now);
  }
  return where;
}

std::vector<std::string> independence_conditions(const System& system) {
  if (system.constraints.empty()) return {};
  const auto drop = rank_drop_of_constraints(system);
  if (drop && drop->loci.empty()) return {};
  return conditions_of(found_in_time("the constraints are independent", [&](std::vector<Excluded>& where) {
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

}  // namespace rattleback
