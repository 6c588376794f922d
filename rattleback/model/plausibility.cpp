#include <rattleback/model/plausibility.hpp>

#include <cmath>

#include <fmt/format.h>

#include <rattleback/algebra/derivative.hpp>
#include <rattleback/algebra/is_zero.hpp>
#include <rattleback/algebra/numbers.hpp>
#include <rattleback/algebra/text.hpp>

namespace rattleback {
namespace {

/// A coordinate that the Lagrangian does not know at all, while a nonholonomic constraint determines its velocity:
/// most likely the constraint was substituted into L by hand, which gives other, wrong equations.
void doubt_substitution(const System& system, const Triage& found, std::vector<Error>& doubts) {
  for (int i = 0; i < system.space.dimension(); ++i) {
    const Symbol v = system.space.velocities()[i];
    const auto q = system.space.coordinate(i);
    if (!q || contains(system.lagrangian, v) || contains(system.lagrangian, *q)) continue;
    for (std::size_t s = 0; s < system.constraints.size(); ++s) {
      const Constraint& c = system.constraints[s];
      const Effect effect = found.constraints[s].effect;
      if (effect != Effect::nonholonomic || !contains(c.expression, v)) continue;
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
    const bool trivial = kind.note == "0 = 0";
    doubts.push_back(Error(trivial ? "trivial-constraint" : "dependent-constraints",
                           trivial ? fmt::format("constraint `{}` says 0 = 0", kind.name)
                                   : fmt::format("constraint `{}` follows from the others", kind.name),
                           trivial ? "" : kind.note,
                           trivial ? "check it for a sign or a misspelt name, or delete it"
                                   : "delete one of them; its reaction force is not determined otherwise")
                         .at(system.constraints[s].place));
  }
}

/// The given initial state, as far as it is complete, against every constraint.
void doubt_initial_state(const System& system, std::vector<Error>& doubts) {
  SymbolMap state = parameter_values(system);
  for (const InitialValue& given : system.simulation.initial) {
    const Value* meaning = system.scope.find(given.name);
    if (meaning == nullptr || !std::holds_alternative<Expr>(*meaning) ||
        !std::holds_alternative<Expr>(given.value))
      continue;
    const Expr e = std::get<Expr>(*meaning);
    if (e.is(Kind::symbol)) state.insert_or_assign(e.symbol(), std::get<Expr>(given.value));
  }
  const SymbolMap values = parameter_values(system);
  for (const Constraint& c : system.constraints) {
    const Expr residual = substitute(substitute(c.position ? *c.position : c.expression, state), values);
    if (!symbols_of(residual).empty() && symbols_of(residual) != std::vector{Symbol::make("pi")}) continue;
    const double size = evaluate(residual, {{Symbol::make("pi"), M_PI}});
    if (!std::isfinite(size) || std::abs(size) < 1e-12) continue;
    doubts.push_back(Error("off-constraint",
                           fmt::format("the initial state violates constraint `{}` by {:.6g}", c.name, size),
                           fmt::format("{} = {:.6g}", text(c.position ? *c.position : c.expression), size),
                           "give admissible values, or leave out what the constraint determines")
                         .at(system.simulation.place));
  }
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
  doubt_initial_state(system, all);
  return all;
}

}  // namespace rattleback
