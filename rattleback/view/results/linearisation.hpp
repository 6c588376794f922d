#pragma once
/// Linearised equations of motion and their spectrum as text and JSON.

#include <string>

#include <rattleback/motion/forms/linearisation.hpp>

namespace rattleback {

/// The equations of first order, and the eigenvalues where every symbol has a value in the model.
std::string as_text(const System& system, const Linearisation& small);
/// Schema rattleback.linearise/1: M, C, K, N, J as matrices of expressions, with their numbers and the spectrum where every
/// symbol has a value.
std::string as_json(const System& system, const Linearisation& small);

}  // namespace rattleback
