#pragma once
/// Powers of functions with rational exponents, real wherever a constant factor can make them so.

#include <rattleback/algebra/arithmetic/rational.hpp>
#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {

/// f^k up to a constant factor, for functions of which only d log matters: √(−1 − x²) is not real, √(1 + x²) is, and both have the same
/// logarithmic derivative.
inline Expr real_power(Expr f, const Rational& k) {
  const bool is_root = k.denominator() != Rational(1);
  const KnownSign sign = is_root ? known_sign(f) : KnownSign::unknown;
  return pow(sign == KnownSign::negative || sign == KnownSign::nonpositive ? -f : f, Expr(k));
}

}  // namespace rattleback
