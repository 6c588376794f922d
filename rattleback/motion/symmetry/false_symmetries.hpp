#pragma once
/// Declared generators of [symmetry] that are no symmetries.

#include <vector>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// One Error[not-a-symmetry] for each generator that is refuted, pointing at it, with a state where it shows (N.3).
std::vector<Error> false_symmetries(const System& system);

}  // namespace rattleback
