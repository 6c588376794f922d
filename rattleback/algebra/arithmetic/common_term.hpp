#pragma once
/// Monomial content of a polynomial: the number times monomial that divides all its terms.

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// The greatest common divisor of all terms of p, which is not 0; its coefficient is positive.
Polynomial common_term(const Polynomial& p);
/// Of all terms of both.
Polynomial common_term(const Polynomial& a, const Polynomial& b);

/// p/term, where the term divides every term of p.
Polynomial divided_by_term(const Polynomial& p, const Polynomial& term);

}  // namespace rattleback
