#pragma once
/// Certificates that ways to a Hamiltonian fail: no Chaplygin multiplier, none after fixing momenta, no Lie-Poisson bracket. Each is
/// null when its formulas are too long or take too much work.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/motion/velocities/admissible.hpp>
#include <rattleback/proof/check/data.hpp>

namespace rattleback {

/// A group by its name and its orbits, columns in the velocities of the model.
struct GroupOrbits {
  std::string name;
  Matrix orbits;
};
/// None of these groups has a multiplier. (C.36)
Data no_multiplier_certificate(const System& system, const std::vector<GroupOrbits>& groups);

/// Fields whose momenta are fixed, under a group, both as columns in the velocities of the model; and d ln f of the one candidate, where
/// there is one.
struct FixedMomenta {
  std::string name;
  Matrix orbits, fields;
  std::optional<std::vector<Expr>> slopes;
};
/// None of them leaves a system with a multiplier. (C.40)
Data no_routh_certificate(const System& system, const std::vector<FixedMomenta>& tried);

/// The projected bracket of an invariant system, in its own frame, is not a Lie bracket. (C.37)
Data no_lie_bracket_certificate(const System& system, const Admissible& D);

}  // namespace rattleback
