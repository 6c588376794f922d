#pragma once
/// Quotients of trigonometric polynomials in lowest terms, by tangents of half angles: denominators vanish at poles only.

#include <optional>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// e = N/D with a denominator that vanishes only where e has a pole. Polynomials in cos q and sin q have no unique factors:
///     1/(sin a cos b − cos a sin b) = (sin a cos b + cos a sin b)/(cos²b − cos²a),
/// and the right-hand side, with its denominator rationalised, is 0/0 where sin(a + b) = 0. In t = tan(q/2) they have: common factors of
/// N and D are cancelled there, 1 + t² is positive, and D is written in cos q and sin q again, its factors of odd degree in t together,
/// or squared where they are alone. Nothing when e has no angles, or contains roots or other functions of them.
std::optional<Expr> in_lowest_terms(Expr e);

/// Is the formula 0/0 at a zero of something it divides by, along curves through random points, where the function has no pole? In double
/// precision: to choose between formulas, not to prove anything.
bool has_removable_pole(Expr formula);

}  // namespace rattleback
