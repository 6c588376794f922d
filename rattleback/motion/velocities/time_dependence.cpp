#include <rattleback/motion/velocities/time_dependence.hpp>

#include <algorithm>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>

namespace rattleback {

bool contains_time(const System& system) {
  std::vector<Expr> all = system.forces;
  all.push_back(system.lagrangian);
  for (const Constraint& c : system.constraints) all.push_back(c.expression);
  return std::any_of(all.begin(), all.end(), [&](Expr e) {
    return contains(e, system.time) && !vanishes_at_random_points(derivative(e, system.time));
  });
}

}  // namespace rattleback
