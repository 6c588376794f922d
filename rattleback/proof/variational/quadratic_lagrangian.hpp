#pragma once
/// Lagrangians of linear motions with letters: quadratic forms of the coordinates and velocities, coefficients functions of the parameters.

#include <optional>
#include <vector>

#include <rattleback/proof/variational/helmholtz.hpp>

namespace rattleback {

/// A regular one, of several one that is a Lagrangian for most values of these parameters: of x'' = p y, y'' = q x it is
/// x' y' + p y²/2 + q x²/2, whatever p and q are, and not p y'²/q + x'² + 2 p x y. A kinetic part that serves all parameters is found as what the
/// kinetic parts at several of them have in common, so that it is the same in all linear coordinates.
/// Nothing without parameters, for many coordinates, or where there is none.
std::optional<Expr> quadratic_lagrangian(const SecondOrderSystem& s, const std::vector<Symbol>& parameters);

}  // namespace rattleback
