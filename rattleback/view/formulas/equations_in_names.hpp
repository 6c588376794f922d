#pragma once
/// Shorter Lagrange equations with multipliers: accelerations, multipliers and reactions written in terms of each other where that
/// saves length.

#include <optional>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// In accelerations x'' and multipliers lambda_blade.
struct EquationsInNames {
  std::vector<Expr> speed_rates;
  std::vector<Statement> multipliers, reactions;
};

/// The shortest of these, where it is much shorter than the equations as they stand:
///   - accelerations and reactions in terms of the multipliers, which are written out;                        (A.10)
///   - the rates of the free speeds written out, v̇ = y + N u of (A.5) in terms of them, λ in terms of v̇ by (A.6), R in terms of λ;
///   - each equation of M v̇ = b + Aᵀλ solved for its own acceleration, in terms of the others and of the multipliers,
///         v̇^i = (b_i + (Aᵀλ)_i − Σ_{j≠i} M_ij v̇^j)/M_ii,                                              (A.11)
///     where that has no pole of its own, and no acceleration is written in terms of itself;
///   - for `suslov`, the reactions alone in terms of the multipliers.
/// Nothing for other forms.
std::optional<EquationsInNames> equations_in_names(const System& system, const EquationsOfMotion& equations);

}  // namespace rattleback
