#pragma once
/// Rotation matrices and unit vectors in charts: rational functions of free symbols.

#include <string>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Rotation matrices and unit vectors as rational functions of free symbols: B = B(q)/|q|² for a quaternion q, and
/// stereographic coordinates. An expression vanishes on the manifold iff this pull-back vanishes.
Expr on_free_symbols(Expr e);
/// Those symbols: entries 0 to 3 of the quaternion of a family of rotation entries, 4 and 5 of the sphere of a unit vector.
Symbol chart_symbol(const std::string& family, int entry);

}  // namespace rattleback
