#pragma once
/// First integrals that are polynomials of the speeds, with polynomial and trigonometric coefficients.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// All combinations, with constant coefficients, of the functions φ(q) z^μ of integral_ansatz() that are constant along the
/// motion: linear algebra modulo a prime, coefficients by rational reconstruction, as functions of the parameters where
/// these can be found and at the model's parameter values otherwise, and a proof by differentiation.           (Y.3)
///
/// Besides, momenta of symmetries, gauge momenta whose coefficients solve differential equations (Y.2), and moving energies (Y.7).
/// Proved: one is independent of the energy (when that is conserved). Not found: there is none among these; others may exist.
/// Answer {integrals, at_parameter_values, ansatz, gauge_count}.
Answer integrals_answer(const System& system);

/// Integrals besides the energy that hold for all parameters, as functions of the configuration and the velocities: gauge
/// momenta in closed form, and what the ansatz (Y.3) finds.
std::vector<Expr> integrals_of(const System& system);

}  // namespace rattleback
