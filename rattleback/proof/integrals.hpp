#pragma once
/// First integrals that are polynomials of the speeds, with polynomial and trigonometric coefficients.

#include <rattleback/model/system.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// All combinations, with constant coefficients, of products φ(q) z^μ with |μ| ≤ 2 and φ of degree at most 2 in coordinates of
/// lines, sines and cosines of angles and entries of rotation matrices, that are constant along the motion at the model's
/// parameter values: linear algebra modulo a prime, rational reconstruction, and a proof by differentiation.      (Y.3)
/// Proved: one is independent of the energy. Answer {integrals, complete, ansatz}.
Answer integrals_answer(const System& system);

}  // namespace rattleback
