#pragma once
/// Short forms on the variety N of position constraints: shorter than those that hold off N as well.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Equal to e on the variety of this thread, and not longer than short_form(e): where x² + y² = l², x² + y² becomes l². Powers of a
/// coordinate whose coefficient in a relation never vanishes are eliminated where that makes e shorter. For conditions and values
/// that are printed; not to be differentiated. In the ambient space, short_form(e).
Expr short_form_on_variety(Expr e);

}  // namespace rattleback
