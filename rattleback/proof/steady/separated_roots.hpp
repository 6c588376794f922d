#pragma once
/// Square-free decomposition of a univariate polynomial over an exact field, and the part whose roots lie symmetrically to 0.
///
/// Factorisation of the polynomial in all generators misses what the relations r² = c of a field make equal: c λ⁴ + 2 g r λ² + g² is
/// the square of r λ² + g. Conditions of stability read 0 > 0 for such a factor. Euclid's algorithm in the field finds them.

#include <vector>

#include <rattleback/algebra/arithmetic/exact_element.hpp>

namespace rattleback {

/// a_0 + a_1 λ + … + λ^n over a field of exact elements.
using UnivariatePolynomial = std::vector<Element>;

struct RootClass {
  UnivariatePolynomial factor;  ///< without multiple roots; with λ either every −λ is a root of it, or none
  int multiplicity = 1;
};

/// a = Π factor^multiplicity. `a` has no root 0.
std::vector<RootClass> separated_roots(const Ring& ring, const UnivariatePolynomial& a);

}  // namespace rattleback
