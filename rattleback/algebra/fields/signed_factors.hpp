#pragma once
/// Factorisation of rational functions with the known signs of the factors.

#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {

/// constant · Π base^exponent with bases irreducible; bases known to be nonnegative are marked.
struct SignedFactors {
  struct Factor {
    Polynomial base;
    long exponent;
    bool nonnegative;
  };
  Rational constant;
  std::vector<Factor> factors;
};
/// Among the ways to write x (sin² or cos² eliminated) the one that leaves fewest odd powers.
SignedFactors signed_factors(const Field& field, const Element& x);

/// −1, 0 (unknown) or 1: p is nowhere positive, or nowhere negative, in one of its trigonometric shapes.
int sign_of(const Field& field, const Polynomial& p);

}  // namespace rattleback
