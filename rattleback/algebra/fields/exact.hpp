#pragma once
/// Exact arithmetic of expressions in a field of rational functions (FLINT): zero tests and canonical forms.
///
/// An expression becomes an element of Q(g_1, …, g_n) modulo relations: symbols, abstract calls and logarithms
/// are free generators; an angle contributes c, s with s² = 1 − c²; a root contributes r with r² = radicand.
/// Denominators are always rationalised, so the form is unique and equality of forms is equality of functions.

#include <string>

#include <rattleback/algebra/expression/expr.hpp>
#include <rattleback/algebra/expression/verdict.hpp>

namespace rattleback {

/// What the exact field says of e. `unknown` when the budget ran out or the expression has no exact form here.
enum class ExactAnswer : std::uint8_t { zero, nonzero, unknown };
struct ExactZero {
  ExactAnswer answer = ExactAnswer::unknown;
  std::string field;        ///< one line for a person, e.g. "Q(m, a, cos(theta), sin(theta))"
  std::string obstacle;     ///< when unknown
  Assumptions assumptions;  ///< e.g. positivity of radicands when several roots are combined
};
/// Honours the thread's Budget; throws nothing but Bug.
ExactZero exact_zero(Expr e);

/// Numerator over denominator in the generators, reduced, gcds removed; unique. Falls back to e itself when the
/// exact form is out of reach.
Expr canonical(Expr e);

}  // namespace rattleback
