#pragma once
/// Short forms of expressions, for people: the shortest of several equal shapes.

#include <rattleback/algebra/expression/matrix.hpp>

namespace rattleback {

/// The shortest of the sensible shapes of e that a person would write: factored, collected in velocities,
/// sin² or cos² eliminated or combined, or e as built. Always equal to e.
Expr short_form(Expr e);
/// Entry by entry.
Matrix short_form(Matrix m);

}  // namespace rattleback
