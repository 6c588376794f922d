#pragma once
/// Partial fractions and other shapes of a quotient.

#include <optional>
#include <vector>

#include <rattleback/algebra/writing/polynomial_writer.hpp>

namespace rattleback {

/// Σ over velocity monomials of monomial · coefficient, each coefficient a fraction in lowest terms; nothing when that is longer
/// than `bound`.
std::optional<Expr> by_velocities(const Field& field, PolynomialWriter& writer, const Element& x, int bound);

/// n/d = q + r/d with a polynomial q: m + J s²/l² instead of one fraction.
std::optional<Expr> with_polynomial_part(PolynomialWriter& writer, const Polynomial& n, const Polynomial& d);

/// n/(f e) = q/e + r/(f e) for a factor f of the denominator, divided in one of its generators; what q and r have in common is
/// written before both: a c (x + b y/(b + c)) for a c (b x + c x + b y)/(b + c).
std::vector<Expr> in_partial_fractions(PolynomialWriter& writer, const Element& x);

/// Both parts divided by what stands in most terms of the denominator: (x/a + y/b)/(u/a + v/b) for (b x + a y)/(b u + a v).
std::optional<Expr> over_reciprocals(const Field& field, PolynomialWriter& writer, const Element& x);

}  // namespace rattleback
