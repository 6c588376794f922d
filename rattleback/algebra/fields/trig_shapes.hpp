#pragma once
/// Normal forms of trigonometric polynomials: sin² or cos² eliminated, or degrees made equal.

#include <rattleback/algebra/arithmetic/exact_ring.hpp>

namespace rattleback {

/// s² → σ(1 − c²): the normal form of the ring, for this pair alone.
Polynomial without_sin_squared(Polynomial p, const Relation& pair);
/// c² → 1 − σs².
Polynomial without_cos_squared(Polynomial p, const Relation& pair);
/// 1 → c² + σs² wherever a term's degree in (c, s) is below the largest of its parity.
Polynomial homogenised(const Polynomial& p, const Relation& pair);

/// For every monomial in the other generators the one of these shapes that has fewest terms:
/// J − J c² + m c² becomes J s² + m c².
Polynomial shaped_by_monomial(const Polynomial& p, const Relation& pair);

/// Does c or s occur?
bool involves(const Polynomial& p, const Relation& pair);
/// The pairs (c, s) of a ring.
std::vector<const Relation*> pairs_of(const Ring& ring);

}  // namespace rattleback
