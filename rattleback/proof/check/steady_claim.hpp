#pragma once
/// Checks certificates of steady motions and of the spectra of small motions about them, by the algebra alone.

#include <string>
#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// The functions f that ż depends on, directly or through the rates of others, and the speeds form a system of their own, of which a
/// steady motion is an equilibrium. Its variations are δf = X_i[f] ε^i, independent ones δy among them, δf = B δy; the matrix of the
/// small motions is
///     A = (∂ẏ/∂f B, ∂ẏ/∂z; ∂ż/∂f B, ∂ż/∂z),   det(λ − A) = λ^k Π (a_0 + a_1 λ + … + λ^m),                 (W.4)
/// the factors being stated. At the values that are named every factor satisfies (O.5) or (O.6): no eigenvalue lies on the right; or
/// some condition is violated: a coefficient, a determinant of Hurwitz or a discriminant is negative, and one does.
std::vector<CheckedStep> steady_steps(const ClaimedSystem& claim, const Data& certificate);

/// Values for functions and speeds; formulas in free symbols and parameters. Throws Error[bad-certificate].
SymbolMap values_of_family(const ClaimedSystem& claim, const Data& family);
/// The functions that ż depends on, directly or through others.
std::vector<Symbol> influencing_functions(const ClaimedSystem& claim);

/// A line for each family: its values, and what is said of its eigenvalues.
std::vector<std::string> steady_stated(const Data& certificate);

}  // namespace rattleback
