#pragma once
/// The velocities divided into base and fibre, so that the constraints give the fibre velocities.

#include <vector>

#include <rattleback/geometry/connection.hpp>
#include <rattleback/motion/velocities/admissible.hpp>

namespace rattleback {

/// v^a + A^a_α(q, t) v^α + c^a(q, t) = 0: constraints that are linear or affine, solved for the v^a.         (V.1)
struct Splitting {
  Connection connection;  ///< base, fibre and A
  Matrix c;               ///< the affine part, k × 1
  Assumptions where;

  int base_dimension() const { return static_cast<int>(connection.base().size()); }
  int fibre_dimension() const { return static_cast<int>(connection.fibre().size()); }
  std::vector<Symbol> base_velocities() const;
  std::vector<Symbol> fibre_velocities() const;
  /// The base velocities as speeds: X_α = X_{base α} − A^a_α X_{fibre a}, y = −c^a X_a.
  Admissible admissible() const;
};

/// The legs that may serve as fibre, best first. Preferred are: groups that are not cut in two; fibre velocities whose
/// coefficients cannot become singular; fibres that a group of [symmetry] moves; base velocities that the model names in
/// [velocities]; cyclic fibre coordinates.
/// Throws Error[form-does-not-apply] when a constraint is not linear or affine.
std::vector<std::vector<int>> fibre_choices(const System& system);

/// Throws Error[not-horizontal] when the constraints do not determine these fibre velocities.
Splitting solved_for(const System& system, const std::vector<int>& fibre);
Splitting splitting(const System& system);

}  // namespace rattleback
