#pragma once
/// Pseudo-division of polynomials in one of their variables.

#include <vector>

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// c_0, c_1, … of p = Σ c_n x^n, x the generator g; at least c_0.
std::vector<Polynomial> coefficients_in(const Polynomial& p, int g);

/// Divided by the gcd of its coefficients.
Polynomial without_content(Polynomial p);

/// lc(f)^m p − q f, of degree below that of f in v; with `by_relations`, coefficients of v are reduced by the relations of the ring, which v is
/// not part of.
struct PseudoRemainder {
  Polynomial remainder;
  unsigned m = 0;
};
PseudoRemainder pseudo_remainder(Polynomial p, const Polynomial& f, int v, bool by_relations = false);

}  // namespace rattleback
