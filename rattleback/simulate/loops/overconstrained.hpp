#pragma once
/// Overconstrained linkages in derivations and answers: the system without the constraints that are redundant where all of them hold.

#include <optional>
#include <string>

#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/forms/derivation.hpp>
#include <rattleback/proof/evidence/answer.hpp>
#include <rattleback/proof/questions/question.hpp>

namespace rattleback {

/// Bricard's mechanism: five equations for five angles, of rank 4 where they hold. At generic points of the ambient space their rank is 5, and
/// equations derived there would say that nothing moves.
struct Overconstrained {
  System system;    ///< without the redundant ones
  std::string why;  ///< which, and how that was found
};
/// Nothing where the rank of the position constraints is the same on their set, by exact arithmetic or in doubles.
std::optional<Overconstrained> overconstrained(const System& system);

/// What was derived for the rest, with a note on what is left out.
Derivation noted(Derivation found, const Overconstrained& rest);
/// What was decided for the rest. The set of the remaining constraints contains that of all: what holds on it holds for the model, with the
/// evidence of a computation in doubles; a counterexample on it may lie elsewhere, so nothing is refuted.
Answer noted(Answer a, const Overconstrained& rest);
/// A question about the model, asked of what is left of its constraints.
Answer asked_on_set(const Question& question, const System& system, double seconds);

}  // namespace rattleback
