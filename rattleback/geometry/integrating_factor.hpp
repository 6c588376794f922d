#pragma once
/// Integrating factors of a single one-form: functions μ with d(μα) = 0.

#include <vector>

#include <rattleback/geometry/one_form.hpp>

namespace rattleback {

/// Candidates, simplest first, each of which makes α closed (checked at random points). Empty when α is not
/// integrable or its factor is of none of the shapes tried.
///
/// (1) μ = 1. (2) μ = 1/α(X), for X a symmetry of ker α (Lie): translations ∂_q, scalings, rotations q ∂_r − r ∂_q.
/// (3) μ = exp ∫g(q) dq of one coordinate. (4) μ = Π f_i^{k_i}, f_i the factors of the coefficients: then
///     dα + Σ k_i (df_i/f_i) ∧ α = 0
/// is linear in the k_i. (D.8) (5) α = a_z (dz − zβ − zⁿγ), a linear equation or one of Bernoulli's: (D.10).
std::vector<Expr> integrating_factors(const OneForm& alpha);

}  // namespace rattleback
