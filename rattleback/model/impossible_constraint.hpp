#pragma once
/// Constraints f = 0 whose f never changes its sign.

#include <optional>
#include <string>

#include <rattleback/model/system.hpp>

namespace rattleback {

/// Definite: f = 0 never holds. Semidefinite: f is extremal wherever it is 0, so that its slopes vanish there and no
/// reaction is determined.
struct OneSigned {
  bool definite = false;
  std::string claim;  ///< "x'^2 + 1 is always positive"
};
std::optional<OneSigned> one_signed(const Constraint& constraint);

/// inconsistent-constraints or singular-constraint.
Error impossible_constraint(const Constraint& constraint, const std::string& why, bool definite);

/// Throws the first of them.
void require_possible_constraints(const System& system);

}  // namespace rattleback
