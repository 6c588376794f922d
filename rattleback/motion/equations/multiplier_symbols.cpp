#include <rattleback/motion/equations/multiplier_symbols.hpp>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/geometry/factor.hpp>
#include <rattleback/geometry/space.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

Matrix acceleration_symbols(const Space& space) {
  Matrix a(space.dimension(), 1);
  for (int i = 0; i < space.dimension(); ++i)
    a[i] = Symbol::make(space.velocities()[i].name() + "'", {.role = Role::acceleration, .order = i});
  return a;
}

Matrix multiplier_symbols(const System& system, const ConstraintRows& rows) {
  Matrix lambda(rows.a.rows(), 1);
  for (int s = 0; s < lambda.rows(); ++s) {
    const auto constraint = static_cast<std::size_t>(rows.independent[static_cast<std::size_t>(s)]);
    lambda[s] =
        Symbol::make("lambda_" + system.constraints[constraint].name, {.role = Role::multiplier, .order = s});
  }
  return lambda;
}

}  // namespace rattleback
