#pragma once
/// Functions of the velocities as rows of a linear system: A v + b.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/geometry/space.hpp>

namespace rattleback {

struct VelocityRows {
  Matrix a;                  ///< ∂f_s/∂v^i at v = 0
  Matrix b;                  ///< f_s at v = 0
  std::vector<bool> affine;  ///< is f_s = A_s v + b_s? Otherwise it is nonlinear in the velocities

  int count() const { return a.rows(); }
};
VelocityRows velocity_rows(const Space& space, std::span<const Expr> functions);

/// One matrix below the other.
Matrix above(const Matrix& upper, const Matrix& lower);

/// Rows that are independent of those before them at a generic point, in order.
std::vector<int> independent_rows(const Matrix& a);

}  // namespace rattleback
