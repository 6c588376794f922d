#pragma once
/// Checks certificates of Lyapunov stability by the energy-momentum method, by the algebra alone.

#include <vector>

#include <rattleback/proof/check/checker.hpp>
#include <rattleback/proof/check/claimed_system.hpp>

namespace rattleback {

/// At the parameter values of `extremum.at`, with F_0 = E, the integrals F_i and the multipliers λ_i stated: F_i is constant along the
/// motion, dG = 0 at the steady motion for G = λ_i F_i, and at the values of `at`
///     X_a X_b G is definite on {δ : dF_i(δ) = 0}                                                            (W.6)
/// for legs X_a that move independently what the motion or an F_i depends on, and the ∂/∂z. That is (O.8).
/// `values` are those of the family, `influencing` the functions that ż depends on, directly or through others.
std::vector<CheckedStep> extremum_steps(const ClaimedSystem& claim, const Data& extremum,
                                        const SymbolMap& values, std::vector<Symbol> influencing);

}  // namespace rattleback
