#pragma once
/// Functions with a given logarithmic differential: densities and multipliers.

#include <optional>
#include <span>

#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

/// F with dF = F α for a closed α, proved by differentiation; nothing means only that none was found.
///
/// Tried in this order: a product of rational powers of the factors that occur in α and of `hints`, where
///     α = Σ k_i df_i/f_i                                                                             (D.9)
/// is linear in the k_i; the exponential of a potential, its logarithms turned into powers.
std::optional<Expr> exponential_integral(const OneForm& alpha, std::span<const Expr> hints = {});

}  // namespace rattleback
