#pragma once
/// Equilibria and steady motions with one free speed, and the spectrum of small motions about them.

#include <rattleback/model/system.hpp>
#include <rattleback/proof/answer.hpp>

namespace rattleback {

/// Families in which the configuration rests at 0 (rotations at 1) or at the model's initial place, and one speed, or two in
/// a fixed proportion, are free. About each the characteristic polynomial det(λ − A) of (O.2), its factors and, at the
/// model's parameter values, its roots. Stability is spectral, modulo the zeros that belong to the family itself: `stable` is
/// true when no root has a positive real part, null when the sign depends on the free speed.
/// Answer {families: [{point, polynomial, eigenvalues (at s = 1), at, stable}]}. The outcome stays undecided: eigenvalues in
/// double precision are no proof.
Answer equilibria_answer(const System& system);

}  // namespace rattleback
