#pragma once
/// Rotation matrices and unit vectors in charts: rational functions of free symbols.

#include <string>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Rotation matrices and unit vectors as rational functions of free symbols: B = B(q)/|q|² for a quaternion q, and
/// stereographic coordinates. An expression vanishes on the manifold iff this pull-back vanishes.
Expr on_free_symbols(Expr e);
/// The free symbols of a family: 0 to 3 are the quaternion of a rotation matrix, 4 and 5 the stereographic coordinates of a unit vector.
Symbol chart_symbol(const std::string& family, int entry);

}  // namespace rattleback
