#pragma once
/// Greatest common divisors of polynomials: quick tests by exponents and one modular image first, FLINT for the rest.

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// The greatest common divisor over the integers, its leading coefficient positive.
Polynomial gcd(const Polynomial& a, const Polynomial& b);

/// n/d without common factors, as `cancel` does, but the work is not charged to the Budget.
void divide_by_gcd(Polynomial& n, Polynomial& d);

/// Is every common factor of a and b a term, that is a number times a monomial? True is proved; false says nothing.
///
/// A factor g that contains no monomial lies in the generators that both have. So it divides every coefficient of a as a
/// polynomial in the others: where one of them is a term, g is a number. And where the images of a and b at a point modulo p,
/// polynomials in one generator x, keep their degrees and have no common factor, x is none of the generators of g.
bool share_only_terms(const Polynomial& a, const Polynomial& b);

/// Is p, without monomial and integer factors, irreducible over the rationals? True is proved; false says nothing.
///
/// p = a x² + b x + c with gcd(a, b, c) = 1 has a factor only when b² − 4ac is a square, and then it is one at every point
/// modulo every prime.
bool is_irreducible_quadratic(const Polynomial& p);

/// Is p with x² in place of x irreducible, where p is and contains x? True is proved; false says nothing.
///
/// A factor g of p(x²) has g(x) g(−x) for its norm, so p(x²) = c g(x) g(−x), or it is irreducible. Then (−1)ⁿ p(0) times the
/// coefficient of xⁿ, the highest power, is the square of c g(0) times the highest coefficient of g, at every point modulo every
/// prime.
bool is_irreducible_in_squares(const Polynomial& p, int x);

}  // namespace rattleback
