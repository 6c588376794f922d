#pragma once
/// Powers with rational exponents and exponentials of logarithms, real wherever a constant factor can make them so.

#include <rattleback/algebra/arithmetic/rational.hpp>
#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>
#include <rattleback/algebra/signs/known_sign.hpp>

namespace rattleback {

/// f^k up to a constant factor, for functions of which only d log matters: √(−1 − x²) is not real, √(1 + x²) is, and both have the same
/// logarithmic derivative.
inline Expr real_power(Expr f, const Rational& k) {
  const bool is_root = k.denominator() != Rational(1);
  const KnownSign sign = is_root ? known_sign(f) : KnownSign::unknown;
  return pow(sign == KnownSign::negative || sign == KnownSign::nonpositive ? -f : f, Expr(k));
}

/// exp(Σ k_i log g_i + h) = Π g_i^{k_i} exp h, up to a constant factor.
inline Expr real_exponential(Expr f) {
  const std::vector<Expr> terms =
      f.is(Kind::sum) ? std::vector(f.args().begin(), f.args().end()) : std::vector{f};
  std::vector<Expr> powers, others{Expr(0)};
  for (const Expr term : terms) {
    const Scaled s = split_coefficient(term);
    if (is_call_of(s.rest, Builtin::log))
      powers.push_back(real_power(s.rest.args()[0], s.coefficient));
    else
      others.push_back(term);
  }
  powers.push_back(exp(sum(others)));
  return product(powers);
}

/// f up to a constant factor: roots of functions that are negative everywhere, among its factors, become roots of their opposites.
inline Expr real_multiple(Expr f) {
  if (!f.is(Kind::product)) return f;
  std::vector<Expr> factors;
  for (const Expr factor : f.args()) {
    const Expr base = factor.is(Kind::power) ? factor.args()[0] : factor;
    const bool imaginary =
        is_call_of(base, Builtin::sqrt) && known_sign(base.args()[0]) == KnownSign::negative;
    factors.push_back(imaginary ? pow(sqrt(-base.args()[0]), factor.is(Kind::power) ? factor.exponent() : 1)
                                : factor);
  }
  return product(factors);
}

}  // namespace rattleback
