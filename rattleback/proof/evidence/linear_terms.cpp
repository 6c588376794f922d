#include <rattleback/proof/evidence/linear_terms.hpp>

#include <algorithm>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {

std::optional<bool> has_linear_terms(const System& system) {
  SymbolMap still;
  for (const Symbol v : system.space.velocities()) still.emplace(v, Expr(0));
  try {
    const std::vector<Expr> momenta =
        substitute(gradient(system.lagrangian, system.space.velocities()), still);
    return !std::all_of(momenta.begin(), momenta.end(), [](Expr p) { return vanishes_at_random_points(p); });
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
}

}  // namespace rattleback
