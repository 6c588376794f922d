#pragma once
/// An equal expression whose sign can be read off, by the canonical form: cos² + sin² becomes 1.

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// e, or its canonical form when e is small and known_sign() reads a sign off that form and not off e.
Expr sign_revealing(Expr e);

}  // namespace rattleback
