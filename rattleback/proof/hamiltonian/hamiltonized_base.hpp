#pragma once
/// The Hamiltonian system on the base of a Chaplygin system after a change of time, for integrators.

#include <vector>

#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// The base is Q/G of a bundle with a multiplier (C.3), or Q/G divided by fields Y_i of constant momenta (C.32): a product of lines,
/// circles, spheres and rotation groups, as far as the functions of the model show it.
struct HamiltonizedBase {
  Expr f;                                  ///< dτ = f dt
  std::vector<Expr> lines;                 ///< coordinates
  std::vector<std::vector<Expr>> spheres;  ///< unit vectors: a row or a column of a rotation matrix
  std::vector<int> rotations;              ///< which of the rotation matrices, counted through the space
  std::vector<Expr> conserved;  ///< μ_i = ⟨∂L/∂v, Y_i⟩, functions of configuration and velocity
  bool twisted = false;         ///< {P, P} does not vanish with P: f F_αβ ≠ 0

  int dimension() const { return static_cast<int>(lines.size() + 2 * spheres.size() + 3 * rotations.size()); }
};

/// Of a system with linear constraints: the first bundle whose multiplier has a closed form, then the first at fixed momenta.
/// Throws Error[form-does-not-apply] with what is missing.
HamiltonizedBase hamiltonized_base(const System& system);

}  // namespace rattleback
