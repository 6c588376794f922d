#pragma once
/// Parameters at which a refuted statement is true all the same: what `unless` lists.

#include <functional>
#include <span>
#include <vector>

#include <rattleback/model/system.hpp>
#include <rattleback/proof/evidence/locus.hpp>

namespace rattleback {

struct Exceptions {
  std::vector<Locus> components;  ///< each verified: the statement holds for the system with these parameters
  bool complete = true;           ///< false: others are not excluded
};
/// Candidates are where all residuals vanish identically in everything that is not a parameter; there the system itself is
/// asked again. Within a limit of work.
Exceptions exceptional_parameters(const System& system, std::span<const Expr> residuals,
                                  const std::function<bool(const System&)>& holds);

}  // namespace rattleback
