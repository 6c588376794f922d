#include <rattleback/proof/steady/hidden_symmetries.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <rattleback/algebra/arithmetic/budget.hpp>
#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/arithmetic/work_limits.hpp>
#include <rattleback/motion/symmetry.hpp>
#include <rattleback/proof/evidence/symmetry_count.hpp>

namespace rattleback {

std::optional<std::string> hidden_symmetries(const System& system) {
  // The bound does not know of forces, which leave fewer.
  if (std::any_of(system.forces.begin(), system.forces.end(), [](Expr f) { return !f.is_zero(); }))
    return std::nullopt;
  try {
    const Budget budget(work_limits::no_steady_motion);
    const auto most = most_symmetries(system);
    if (!most || *most == 0) return std::nullopt;
    const int found = count_of_local_symmetries(system);
    if (found >= *most) return std::nullopt;
    return fmt::format(
        "Killing's equations leave room for {} symmetries (N.13), of which {} {} found: motions may be "
        "steady "
        "under others",
        *most, found, found == 1 ? "was" : "were");
  } catch (const Exhausted&) {
    Budget::check();
  } catch (const OutOfDomain&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace rattleback
