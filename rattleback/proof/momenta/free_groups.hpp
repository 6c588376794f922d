#pragma once
/// Groups of symmetries that act freely: their orbits have as many dimensions as they have generators.

#include <string>
#include <vector>

#include <rattleback/motion/symmetry/symmetry.hpp>

namespace rattleback {

struct FreeGroup {
  std::string name;  ///< "SE2", "se(2) + R": the model's word, or the algebra's
  std::vector<VectorField> fields;
  bool largest = true;  ///< the orbits of all symmetries found are no larger
  bool formal =
      false;  ///< the group of a Lie algebra given without it: nothing depends on where in it one is
};

/// Largest first, what generators that are found span freely and closed under brackets. On a Lie algebra given without its
/// group, that group.
std::vector<FreeGroup> free_groups(const System& system);

}  // namespace rattleback
