#pragma once
/// Components of the space of parameters on which an answer may change, from what its proof took for nonzero.

#include <vector>

#include <rattleback/proof/evidence/dependence.hpp>
#include <rattleback/proof/evidence/parameter_samples.hpp>

namespace rattleback {

struct Candidates {
  std::vector<Component> components;  ///< simple ones first, none twice
  bool exhaustive = true;             ///< the answer is the same everywhere else
  std::string open;                   ///< why not
};

/// From what the question itself suspects and from the functions that its outcome depends on; where these are not all, from every function that was found nonzero on the way,
/// and from each parameter of either sign set to zero. Always: where the constraints lose rank.
Candidates candidate_components(const System& system, const std::vector<Locus>& suspected,
                                const Dependence& dependence, std::span<const Expr> nonzero);

/// p = q and p = 1, where parameters are few: axes, masses and stiffnesses that are the same. Guesses, for where a proof does not say which
/// parameters matter.
std::vector<Component> equal_parameters(const System& system);

}  // namespace rattleback
