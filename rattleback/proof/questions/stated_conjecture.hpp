#pragma once
/// Decides a claim of the user, given as text: its kind, and an expression in the names of the model.

#include <string>
#include <vector>

#include <rattleback/model/system/system.hpp>
#include <rattleback/proof/evidence/answer.hpp>

namespace rattleback {

/// conserved, zero, measure, multiplier, lagrangian, hessian, symmetry, integral-of, agrees.
const std::vector<std::string>& kinds_of_claims();

/// The answer of evidence/conjecture.hpp and its kin for that kind. The speeds that `derive` and `analyze` invent where the model names none, u1, u2, …, mean
/// the same in a claim. `where` is what messages call its place. Throws Error[usage] for an unknown kind or a wrong shape, and those
/// of parse().
Answer stated_conjecture(const System& system, const std::string& kind, const std::string& claim,
                         const std::string& where);

}  // namespace rattleback
