#pragma once
/// Momenta that symmetries keep, those included that change the Lagrangian by a total derivative.

#include <vector>

#include <rattleback/motion/symmetry/momentum.hpp>

namespace rattleback {

struct ConservedMomentum {
  HorizontalSymmetry symmetry;
  bool up_to_derivative = false;  ///< ξ changes L by d/dt of a function of the configuration
};

/// The horizontal symmetries (N.9), and fields ξ in D that leave L − A(v), with the gyroscopic forces (N.15) of A, as it is:
///     d/dt (∂(L − A)/∂v^i ξ^i − f) = 0   with   df = dA(ξ, ·).                                              (N.16)
/// The second are looked for where no other force acts; one whose f has no closed form, or changes with a turn of an angle, is left out.
std::vector<ConservedMomentum> momenta_of_symmetries(const System& system);

}  // namespace rattleback
