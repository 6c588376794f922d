#pragma once
/// How a page of Lagrange's equations with multipliers is written in few letters: what stands on it is used on it.

#include <rattleback/motion/admissible.hpp>
#include <rattleback/motion/reactions.hpp>

namespace rattleback {

/// v̇^i as symbols: x'' for x'.
Matrix acceleration_symbols(const Space& space);
/// λ_s as symbols, under the names of their constraints: lambda_blade.
Matrix multiplier_symbols(const System& system, const ConstraintRows& rows);

/// The accelerations and the reactions in terms of the multipliers, which are written out:
///     v̇ = M⁻¹(b + Aᵀλ),   R = Aᵀλ.                                                                   (A.10)
/// Nothing where M is singular.
std::optional<PageInNames> page_by_multipliers(const System& system, const ConstraintRows& rows,
                                               const EquationsOfMotion& equations);

/// The other way round: where the free speeds are velocities, their rates are written out, v̇ = y + N u of (A.5) in terms of
/// them, λ in terms of v̇ by (A.6), and R in terms of λ.
std::optional<PageInNames> page_by_free_rates(const System& system, const ConstraintRows& rows,
                                              const EquationsOfMotion& equations, const Admissible& D);

/// Each equation of M v̇ = b + Aᵀλ solved for its own acceleration, in terms of the others and of the multipliers,
///     v̇^i = (b_i + (Aᵀλ)_i − Σ_{j≠i} M_ij v̇^j)/M_ii,                                                  (A.11)
/// where that is shorter and has no pole of its own, and no acceleration is written in terms of itself.
PageInNames page_by_other_rates(const System& system, const ConstraintRows& rows,
                                const EquationsOfMotion& equations);

/// Only the reactions in terms of the multipliers, R = Aᵀλ of (A.10), where the page becomes much shorter.
std::optional<PageInNames> page_by_reactions(const System& system, const ConstraintRows& rows,
                                             const EquationsOfMotion& equations);

/// Letters of all rates, multipliers and reactions.
int letters_of(const PageInNames& page);
PageInNames page_as_it_stands(const EquationsOfMotion& equations);

}  // namespace rattleback
