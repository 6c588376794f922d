#pragma once
/// Steady motions, and exact conditions under which they are stable.

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// The families of steady_motions(), each with its characteristic polynomial, the conditions of Routh and Hurwitz with
/// parameters, and the speeds at which they hold at the model's parameter values, enclosed.
///
/// Proved: the list of steady motions is complete, and of each is decided for which speeds it is stable: unstable where an eigenvalue has
/// a positive real part; stable, and attracting up to the family, where all but those along the family have negative real
/// parts; stable because the energy has a minimum; spectrally stable where they are imaginary.
/// Refuted: there are none. Undecided where the list may lack some, with what was found.
/// Answer {families: [{point, free, polynomial, eigenvalues, conditions, stable, stable_where, kind}], enclosed, complete, missed}.
Answer equilibria_answer(const System& system);

}  // namespace rattleback
