#pragma once
/// Functions that are not analytic: sign, min, max, piecewise and smoothstep, for forces and inputs.
///
/// All are written with sign(x), an abstract function for algebra and proofs; what is proved holds for every function in its place.
/// Motions give it its values −1, 0, 1, with an event wherever x passes through zero.

#include <string_view>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// A function of this name in a scope allows these functions there.
inline constexpr std::string_view switches_allowed = "#switches";

bool is_switching_function(std::string_view name);

/// sign, as an abstract function.
Function sign_function();
/// sign(x); a number for a number, and odd: sign(−x) = −sign(x).
Expr sign_of(Expr x);
/// yes where x > 0, no where x < 0, their mean where x = 0.
Expr where_positive(Expr x, Expr yes, Expr no);
/// max(a, b) = (a + b + (a − b) sign(a − b))/2.
Expr larger(Expr a, Expr b);
/// 0 for x ≤ 0, 3x² − 2x³ between, 1 for x ≥ 1.
Expr smooth_step(Expr x);

/// x/(|x| + 10⁻¹⁵⁰): what sign(x) is in doubles, for computations without events.
Expr sign_formula(Symbol x);

/// The calls of sign that occur in the expressions, each once, inner ones first.
std::vector<Expr> sign_calls(std::span<const Expr> roots);

}  // namespace rattleback
