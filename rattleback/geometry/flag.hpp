#pragma once
/// Growth vectors and derived flags of distributions; the holonomic part.

#include <vector>

#include <rattleback/geometry/distribution.hpp>

namespace rattleback {

/// The ranks of D = D_1 ⊆ D_2 ⊆ …, D_{i+1} = D_i + [D, D_i], at a generic point, until they are stationary.  (D.4)
/// Contact (2, 3); Engel (2, 3, 4); a car with two trailers (2, 3, 4, 5); a rolling ball (3, 5).
std::vector<int> growth_vector(const Distribution& D);

/// The ranks of D = D^(0) ⊆ D^(1) ⊆ …, D^(i+1) = D^(i) + [D^(i), D^(i)], at a generic point.          (D.5)
std::vector<int> derived_flag(const Distribution& D);

/// Growth at special places: some symbols get values, the others stay generic, so a point and a locus such as
/// φ = π/2 are the same question. The fields of D have to be defined and independent there.
struct Growth {
  std::vector<int> ranks;  ///< of all brackets of length 1, 2, …
  bool complete =
      true;  ///< false: the brackets were followed to `ranks.size()` and might still add directions
};
Growth growth_vector_at(const Distribution& D, const SymbolMap& values, int longest_bracket = 12);

/// The smallest involutive distribution that contains D, spanned by iterated brackets.
Distribution involutive_closure(const Distribution& D);

/// Proved: the brackets span everything at a generic point. Refuted: they stay in a smaller involutive
/// distribution, so functions exist that are constant along D.
Verdict is_bracket_generating(const Distribution& D);

/// How many independent functions are constant along D: the corank of the involutive closure.
int holonomic_dimension(const Distribution& D);

}  // namespace rattleback
