#include <rattleback/model/checks/constraint_kinds.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/conditions/assumptions.hpp>
#include <rattleback/algebra/expression/legibility.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/expression/variety.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/model/checks/impossible_constraint.hpp>
#include <rattleback/model/checks/independent_constraints.hpp>
#include <rattleback/model/system/initial_point.hpp>

namespace rattleback {
namespace {

bool all_zero(const Matrix& m) {
  return std::all_of(m.entries().begin(), m.entries().end(),
                     [](Expr e) { return vanishes_at_random_points(e); });
}

/// Q × time: needed only when a constraint has a part without velocities or depends on time.
Space with_time(const System& system) {
  return system.space * Space::chart(std::span<const Symbol>(&system.time, 1));
}

bool involves_time(const System& system, const VelocityRows& rows) {
  if (!all_zero(rows.b)) return true;
  return std::any_of(rows.a.entries().begin(), rows.a.entries().end(),
                     [&](Expr e) { return contains(e, system.time); });
}

/// A_i θ^i + b dt.
OneForm one_form(const Space& space, const VelocityRows& rows, int s) {
  OneForm alpha(space);
  for (int i = 0; i < rows.a.columns(); ++i) alpha[i] = rows.a(s, i);
  if (space.dimension() > rows.a.columns()) alpha[rows.a.columns()] = rows.b[s];
  return alpha;
}

/// {v : α_s(v) = 0 for these constraints}.
Distribution annihilated(const Space& space, const VelocityRows& rows, const std::vector<int>& which) {
  std::vector<OneForm> forms;
  for (const int s : which) forms.push_back(one_form(space, rows, s));
  return Distribution::annihilated_by(space, forms);
}

bool is_closed(const OneForm& alpha) {
  const Form dalpha = d(alpha);
  return std::all_of(dalpha.coefficients().begin(), dalpha.coefficients().end(),
                     [](Expr e) { return vanishes_at_random_points(e); });
}

/// What vanishes on positions: its formula, or what it belongs to.
std::string shown_position(const Constraint& c) {
  return fits(*c.position, legible::in_a_sentence) ? text(*c.position) : fmt::format("`{}`", c.name);
}

/// Σ_s y_s C^s = 0 with the dependent constraint among them: "left + right = 0".
std::string dependence(const System& system, const Matrix& rows, const std::vector<int>& which) {
  const Matrix y = left_kernel(rows_of(rows, which)).basis;
  std::vector<Expr> terms;
  for (std::size_t k = 0; k < which.size(); ++k) {
    terms.push_back(short_form(y(static_cast<int>(k), 0)) * symbol(system.constraints[which[k]].name));
  }
  const InAmbientSpace everywhere;
  const bool identically = rank(rows_of(rows, which)) < static_cast<int>(which.size());
  const Expr all = sum(terms);
  std::string combination = fits(all, legible::in_a_reason) ? text(all) : "";
  if (combination.empty()) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < which.size(); ++k)
      if (!terms[k].is_zero()) names.push_back(system.constraints[which[k]].name);
    combination = fmt::format("a combination of {}", fmt::join(names, ", "));
  }
  return combination + (identically ? follows_identically : follows_on_positions);
}

Writing writing_of(const System& system, const VelocityRows& rows, int s) {
  if (!rows.affine[s]) return Writing::nonlinear;
  if (system.constraints[s].position) return Writing::position;
  return vanishes_at_random_points(rows.b[s]) ? Writing::linear : Writing::affine;
}

/// Redundant and contradictory constraints, by the ranks of A and (A | b) over the constraints so far. Nonlinear
/// constraints are compared by their slopes only when they vanish identically.
void find_dependent(const System& system, const VelocityRows& rows, std::vector<ConstraintKind>& kinds,
                    std::vector<int>& independent) {
  const Matrix both = beside(rows.a, rows.b);
  for (int s = 0; s < rows.count(); ++s) {
    ConstraintKind& kind = kinds[s];
    const Constraint& c = system.constraints[s];
    if (kind.writing == Writing::nonlinear || kind.writing == Writing::position) {
      const auto sign = one_signed(c);
      if (sign && (sign->definite || !c.position || !follows_from_others(system, s))) {
        kind.effect = sign->definite ? Effect::inconsistent : Effect::singular;
        kind.note = sign->claim;
      }
    }
    if (kind.writing == Writing::nonlinear) continue;
    if (vanishes_at_random_points(c.expression)) {
      if (kind.effect == Effect::inconsistent || kind.effect == Effect::singular) continue;
      const InAmbientSpace everywhere;
      const bool trivial = !c.position || vanishes_at_random_points(*c.position);
      const bool impossible = !trivial && vanishes_at_random_points(c.expression);
      const bool follows = !trivial && !impossible && follows_from_others(system, s);
      kind.effect = trivial || follows ? Effect::redundant
                    : impossible       ? Effect::inconsistent
                                       : Effect::singular;
      kind.note = trivial      ? "0 = 0"
                  : follows    ? fmt::format("d/dt ({}){}", shown_position(c), follows_on_positions)
                  : impossible ? fmt::format("{} = 0 is never true", shown_position(c))
                               : fmt::format("{} has no simple zero", shown_position(c));
      continue;
    }
    std::vector<int> trial = independent;
    trial.push_back(s);
    if (rank(rows_of(rows.a, trial)) == static_cast<int>(trial.size())) {
      independent = trial;
      continue;
    }
    if (kind.effect == Effect::inconsistent) continue;
    const bool velocities = rank(rows_of(both, trial)) > static_cast<int>(independent.size());
    const bool positions = positions_contradict(system, rows.a, trial);
    kind.effect = velocities || positions ? Effect::inconsistent : Effect::redundant;
    kind.note = velocities  ? "no velocity satisfies it together with those before it"
                : positions ? "no position satisfies it together with those before it"
                            : dependence(system, both, trial);
  }
}

/// 1/F in place of F = a/b where a vanishes nowhere and b may: z exp(-x) rather than exp(x)/z.
Expr without_needless_pole(Expr F) {
  const Expr reciprocal = short_form(1 / F);
  return denominators({&reciprocal, 1}).empty() && !denominators({&F, 1}).empty() ? reciprocal : F;
}

/// A single independent constraint: exact, integrable by itself, or neither.
void decide_alone(const OneForm& alpha, const Constraint& constraint, ConstraintKind& kind) {
  const InAmbientSpace everywhere;  // an integral is a function on all of Q
  if (constraint.position) {
    kind.effect = Effect::exact;
    kind.integral = constraint.position;
  } else if (is_closed(alpha)) {
    kind.effect = Effect::exact;
    if (const auto f = potential(alpha)) kind.integral = without_needless_pole(short_form(*f));
  } else if (proved(is_involutive(Distribution::annihilated_by(alpha.space(), {alpha})))) {
    kind.effect = Effect::integrable;
    if (const auto found = integral(alpha))
      kind.integral = without_needless_pole(short_form(found->function));
  }
}

/// The integrals of single constraints when they are all there are, else those of the whole system.
std::vector<Expr> closed_forms(const Distribution& D, int dimension,
                               const std::vector<ConstraintKind>& kinds) {
  std::vector<Expr> found;
  for (const ConstraintKind& kind : kinds) {
    if (kind.integral) found.push_back(*kind.integral);
  }
  if (static_cast<int>(found.size()) >= dimension) return found;
  std::vector<Expr> of_all;
  for (const Expr f : integrals(D)) of_all.push_back(without_needless_pole(short_form(f)));
  return of_all.size() > found.size() ? of_all : found;
}

}  // namespace

namespace {

/// Integrals and brackets of D, of the constraints that are independent; every part within its time.
void integrate(const System& system, const VelocityRows& rows, const std::vector<int>& independent,
               const Distribution& D, const TriageLimits& limits, Constraints& found) {
  const bool timed = found.drifts;
  const Space space = timed ? with_time(system) : system.space;
  const auto give_up = [&](std::string part) { found.open.push_back(std::move(part)); };
  const auto on_hand = [&] { return timed ? annihilated(space, rows, independent) : D; };
  bool counted = false;
  const std::string leaves = "how many functions the constraints keep constant";
  if (!within_limits(limits, leaves, [&] {
        if (timed) {
          found.holonomic_dimension = holonomic_dimension(on_hand());
        } else if (!found.growth_vector.empty()) {
          found.holonomic_dimension = system.space.dimension() - found.growth_vector.back();
        } else {
          return;
        }
        counted = true;
      }))
    give_up(leaves);
  for (const int s : independent) {
    ConstraintKind& kind = found.kinds[s];
    if (kind.effect != Effect::nonholonomic) continue;  // decided by its sign
    const std::string part = fmt::format("whether constraint `{}` can be integrated", kind.name);
    if (within_limits(limits, part,
                      [&] { decide_alone(one_form(space, rows, s), system.constraints[s], kind); }))
      continue;
    if (kind.effect == Effect::nonholonomic) kind.effect = Effect::undecided;
    give_up(part);
  }
  if (counted && found.holonomic_dimension == static_cast<int>(independent.size())) {
    for (const int s : independent) {
      if (found.kinds[s].effect == Effect::nonholonomic || found.kinds[s].effect == Effect::undecided)
        found.kinds[s].effect = Effect::integrable_together;
    }
  }
  const std::string closed = "integrals of the constraints in closed form";
  if (found.holonomic_dimension > 0 && !within_limits(limits, closed, [&] {
        found.integrals = closed_forms(on_hand(), found.holonomic_dimension, found.kinds);
      }))
    give_up(closed);
}

}  // namespace

Constraints understood(const System& system, const VelocityRows& rows, const TriageLimits& limits) {
  Constraints found;
  for (int s = 0; s < rows.count(); ++s) {
    found.kinds.push_back(
        {system.constraints[s].name, writing_of(system, rows, s), Effect::nonholonomic, {}, {}});
  }
  std::vector<int> independent;
  find_dependent(system, rows, found.kinds, independent);
  if (std::find(rows.affine.begin(), rows.affine.end(), false) != rows.affine.end()) return found;

  const Distribution D = annihilated(system.space, rows, independent);
  const std::string growth = "the growth vector";
  if (!within_limits(limits, growth, [&] { found.growth_vector = growth_vector(D); }))
    found.open.push_back(growth);
  if (independent.empty()) return found;
  found.D = D;
  found.drifts = involves_time(system, rows);
  integrate(system, rows, independent, D, limits, found);
  return found;
}

std::optional<Growth> growth_at_start(const System& system, const Constraints& constraints) {
  constexpr int longer = 4;  // than the brackets that are needed elsewhere
  if (!constraints.D || system.simulation.initial.empty()) return std::nullopt;
  const std::vector<int>& generic = constraints.growth_vector;
  if (generic.empty()) return std::nullopt;
  const auto q = system.space.functions();
  SymbolMap start;
  for (const auto& [symbol, value] : initial_point(system)) {
    if (symbol.role() == Role::parameter || std::find(q.begin(), q.end(), symbol) != q.end())
      start.emplace(symbol, value);
  }
  try {
    const int longest = static_cast<int>(generic.size()) + longer;
    Growth growth = growth_vector_at(*constraints.D, start, longest);
    const bool is_cut_short = !growth.complete && static_cast<int>(growth.ranks.size()) < longest;
    if (is_cut_short || growth.ranks == generic || growth.ranks.front() != generic.front())
      return std::nullopt;
    return growth;
  } catch (const OutOfDomain&) {
    return std::nullopt;  // a pole of the fields
  } catch (const Exhausted&) {
    return std::nullopt;
  }
}

IntegrabilityConditions integrability_conditions(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const VelocityRows rows = velocity_rows(system.space, functions);
  const Space space = involves_time(system, rows) ? with_time(system) : system.space;
  std::vector<OneForm> forms;
  for (const int s : independent_rows(rows.a)) forms.push_back(one_form(space, rows, s));
  const Distribution D = Distribution::annihilated_by(space, forms);
  IntegrabilityConditions found{{}, D.where()};
  for (int a = 0; a < D.rank(); ++a) {
    for (int b = a + 1; b < D.rank(); ++b) {
      const VectorField X =
          bracket(D.fields()[static_cast<std::size_t>(a)], D.fields()[static_cast<std::size_t>(b)]);
      for (const OneForm& omega : D.annihilator()) found.curvature.push_back(omega(X));
    }
  }
  return found;
}

std::vector<Expr> holonomic_integrals(const System& system) {
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  return understood(system, velocity_rows(system.space, functions)).integrals;
}

}  // namespace rattleback
