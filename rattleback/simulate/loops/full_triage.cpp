#include <rattleback/simulate/loops/full_triage.hpp>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/motion/symmetry/false_symmetries.hpp>
#include <rattleback/simulate/loops/redundant_constraints.hpp>

namespace rattleback {
namespace {

/// Overconstrained linkages: the triage of the constraints that are left, and what is said about the others.
void leave_out_redundant(const System& system, const TriageLimits& limits, Triage& found) {
  const RedundantConstraints redundant = redundant_constraints(system);
  if (redundant.which.empty()) return;
  Triage rest = triage(without_constraints(system, redundant.which), limits);
  if (rest.rank >= found.rank) return;
  const std::string why = fmt::format(
      "where all position constraints hold their rank is {}: found in doubles at {} assembled positions",
      redundant.rank, redundant.tried);
  for (const int s : redundant.which) {
    ConstraintKind kind = found.constraints[static_cast<std::size_t>(s)];
    kind.effect = Effect::redundant;
    kind.note = why;
    rest.constraints.insert(rest.constraints.begin() + s, std::move(kind));
    const Constraint& c = system.constraints[static_cast<std::size_t>(s)];
    rest.warnings.push_back(Error("dependent-constraints",
                                  fmt::format("constraint `{}` follows from the others", c.name), why,
                                  "nothing: it is left out and watched; its reaction force is not determined")
                                .at(c.place));
  }
  found = std::move(rest);
}

}  // namespace

Triage full_triage(const System& system, const TriageLimits& limits) {
  Triage found = triage(system, limits);
  const std::string loops = "constraints that are redundant where all hold";
  if (!within_limits(limits, loops, [&] { leave_out_redundant(system, limits, found); }))
    found.open.push_back(loops);
  const std::string symmetries = "the symmetries that the model names";
  if (!within_limits(limits, symmetries, [&] {
        for (Error& doubt : false_symmetries(system)) found.warnings.push_back(std::move(doubt));
      }))
    found.open.push_back(symmetries);
  return found;
}

}  // namespace rattleback
