#include <rattleback/model/checks/plausibility.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/expression/display_order.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/signs/numbers.hpp>
#include <rattleback/algebra/solving/dense.hpp>
#include <rattleback/geometry/periodicity.hpp>
#include <rattleback/model/checks/constraint_kinds.hpp>
#include <rattleback/model/system/initial_point.hpp>

namespace rattleback {
namespace {

/// NAME_1, NAME_2, …: a wheel or contact called NAME brought it. Two wheels on one axle share a condition: that is what such a machine
/// is, nothing to mend; the kind of the constraint says "redundant".
bool is_of_contact(const System& system, const std::string& constraint) {
  return std::any_of(system.contacts.begin(), system.contacts.end(), [&](const Contact& contact) {
    if (constraint.starts_with(contact.name + "_touch_")) return true;
    for (const char* part : {"_1", "_2", "_normal", "_roller", "_spin"})
      if (constraint == contact.name + part) return true;
    return false;
  });
}

/// A coordinate that the Lagrangian does not know at all, while a nonholonomic constraint determines its velocity:
/// most likely the constraint was substituted into L by hand, which gives other, wrong equations. The turn of a wheel without mass is such a
/// coordinate, too, and the model states no such constraint.
void doubt_substitution(const System& system, const Triage& found, std::vector<Error>& doubts) {
  for (int i = 0; i < system.space.dimension(); ++i) {
    const Symbol v = system.space.velocities()[i];
    const auto q = system.space.coordinate(i);
    if (!q || contains(system.lagrangian, v) || contains(system.lagrangian, *q)) continue;
    for (std::size_t s = 0; s < system.constraints.size(); ++s) {
      const Constraint& c = system.constraints[s];
      const Effect effect = found.constraints[s].effect;
      if (effect != Effect::nonholonomic || !contains(c.expression, v) || is_of_contact(system, c.name))
        continue;
      doubts.push_back(
          Error("substituted-constraint",
                fmt::format("the Lagrangian no longer depends on {}, which constraint `{}` determines",
                            v.name(), c.name),
                "substituting a nonholonomic constraint into L before deriving gives other, wrong equations",
                "write L for the free body and keep the constraint in [constraints]")
              .at(system.lagrangian_place));
      break;
    }
  }
}

void doubt_trivial_constraints(const System& system, const Triage& found, std::vector<Error>& doubts) {
  for (std::size_t s = 0; s < found.constraints.size(); ++s) {
    const ConstraintKind& kind = found.constraints[s];
    if (kind.effect != Effect::redundant) continue;
    const bool trivial = kind.note == "0 = 0", on_n_alone = kind.note.ends_with(follows_on_positions);
    if (!trivial && is_of_contact(system, system.constraints[s].name)) continue;
    doubts.push_back(Error(trivial ? "trivial-constraint" : "dependent-constraints",
                           trivial ? fmt::format("constraint `{}` says 0 = 0", kind.name)
                                   : fmt::format("constraint `{}` follows from the others", kind.name),
                           trivial ? "" : kind.note,
                           trivial ? "check it for a sign or a misspelt name, or delete it"
                           : on_n_alone
                               ? "nothing: it is left out and watched; its reaction force is not determined"
                               : "delete one of them; its reaction force is not determined otherwise")
                         .at(system.constraints[s].place));
  }
}

/// A potential linear in an angle, or a spring k·α on a circle: after a turn the same configuration has another energy or force.
void doubt_circles(const System& system, std::vector<Error>& doubts) {
  const auto doubt = [&](Expr f, const char* what, const Place& place) {
    const auto q = angle_of_several_values(system.space, f);
    if (!q) return false;
    doubts.push_back(
        Error("not-periodic",
              fmt::format("{} is another after a turn of {}, which is an angle", what, q->name()),
              fmt::format("{} and {} + 2*pi are one configuration of S1", q->name(), q->name()),
              fmt::format("declare {} = \"R\" if it counts its turns, or use a function of period 2*pi",
                          q->name()))
            .at(place));
    return true;
  };
  if (doubt(system.lagrangian, "the Lagrangian", system.lagrangian_place)) return;
  for (const Expr force : system.forces) {
    if (doubt(force, "a force", system.lagrangian_place)) return;
  }
  for (const Constraint& c : system.constraints) {
    if (doubt(c.expression, "a constraint", c.place)) return;
  }
}

/// The value at the initial state, when that determines it.
std::optional<double> at_start(const System& system, const SymbolMap& state, Expr e) {
  const Symbol pi_symbol = Symbol::make("pi");
  const Expr value = substitute(substitute(with_formulas(system, e), state), parameter_values(system));
  const std::vector<Symbol> left = symbols_of(value);
  if (std::any_of(left.begin(), left.end(), [&](Symbol s) { return s != pi_symbol; })) return std::nullopt;
  try {
    const double number = evaluate(value, {{pi_symbol, M_PI}});
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
  } catch (const NoValue&) {
    return std::nullopt;  // a function without a formula
  }
}

void doubt_initial_state(const System& system, std::vector<Error>& doubts) {
  if (system.simulation.initial.empty()) return;
  const SymbolMap state = initial_point(system);
  for (const Constraint& c : system.constraints) {
    const Expr condition = c.position ? *c.position : c.expression;
    const auto residual = at_start(system, state, condition);
    if (!residual || std::abs(*residual) < 1e-12) continue;
    doubts.push_back(
        Error("off-constraint",
              fmt::format("the initial state violates constraint `{}` by {:.6g}", c.name, *residual),
              written_size(condition) > 60 ? "" : fmt::format("{} = {:.6g}", text(condition), *residual),
              "give admissible values, or leave out what the constraint determines")
            .at(system.simulation.place));
  }
}

/// The rank of the constraints at the initial configuration, against the generic one.
void doubt_singular_start(const System& system, const Triage& found, std::vector<Error>& doubts) {
  if (system.simulation.initial.empty() || system.constraints.empty()) return;
  const SymbolMap state = initial_point(system);
  std::vector<Expr> functions;
  for (const Constraint& c : system.constraints) functions.push_back(c.expression);
  const Matrix slopes = jacobian(functions, system.space.velocities());
  Eigen::MatrixXd numbers(slopes.rows(), slopes.columns());
  for (int s = 0; s < slopes.rows(); ++s) {
    for (int i = 0; i < slopes.columns(); ++i) {
      const auto number = at_start(system, state, slopes(s, i));
      if (!number) return;
      numbers(s, i) = *number;
    }
  }
  const auto rank = dense::rank(numbers);
  if (rank >= found.rank) return;
  doubts.push_back(
      Error("singular-state",
            fmt::format("the constraints have rank {} at the initial state, not {}", rank, found.rank),
            "they do not determine the reactions there, and the motion is not defined",
            "start from another state; the line `rank` above says where the rank drops")
          .at(system.simulation.place));
}

}  // namespace

std::vector<Error> doubts(const System& system, const Triage& found) {
  std::vector<Error> all;
  doubt_substitution(system, found, all);
  doubt_trivial_constraints(system, found, all);
  if (found.regularity.negative_energy) {
    all.push_back(Error("negative-energy",
                        "the kinetic energy is not positive for the given parameter values",
                        "a mass or moment of inertia may have the wrong sign",
                        "check the values in [parameters]; the equations are derived all the same")
                      .at(system.lagrangian_place));
  }
  doubt_circles(system, all);
  doubt_initial_state(system, all);
  doubt_singular_start(system, found, all);
  return all;
}

}  // namespace rattleback
