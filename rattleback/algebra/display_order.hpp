#pragma once
/// The order in which people write: shared by the text and the LaTeX printers.

#include <vector>

#include <rattleback/algebra/expr.hpp>

namespace rattleback {

/// base^(halves/2), halves > 0: what a person writes as b, b^2, sqrt(b) or b^(3/2).
struct HalfPower {
  Expr base;
  int halves = 2;
};

/// A product as people write it: sign, number, factors above and below the bar, each already in order. Powers of
/// negative exponent stand below with positive exponent; the denominator of the number too.
struct Fraction {
  bool negative = false;
  Rational above = 1, below = 1;  ///< both positive integers
  std::vector<HalfPower> numerator, denominator;
};
Fraction as_fraction(Expr e);

/// The terms of a sum: higher degree in velocities first, then lower total degree, then by the order of the
/// symbols; a positive term leads when there is one.
std::vector<Expr> ordered_terms(Expr sum);

/// exp(k·log b) with the rest k: people write b^k.
struct SymbolicPower {
  Expr base, exponent;
};
std::optional<SymbolicPower> as_symbolic_power(Expr e);

/// Nodes of the written-out formula, saturating: large when sharing makes the graph much smaller than its text.
std::size_t written_size(Expr e);

}  // namespace rattleback
