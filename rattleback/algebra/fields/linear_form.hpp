#pragma once
/// Arguments of sin, cos and exp as rational combinations of atoms: 2θ + φ/3 + π/4.

#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// Σ coefficient·atom + turns·π. Atoms have no numeric factor and stand in written order; the number 1 is one.
struct LinearForm {
  struct Term {
    Expr atom;
    Rational coefficient;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;
  Rational turns;  ///< half turns: the coefficient of π
  bool operator==(const LinearForm&) const = default;
};

/// The sum of its terms in canonical form: atoms are then linearly independent over the rationals, except that
/// fractions with different denominators may depend on each other (x/(1+x) + 1/(1+x) = 1).
LinearForm linear_form(Expr argument);
/// Does an atom have a denominator?
bool has_fractions(const LinearForm& form);

Expr expression(const LinearForm& form);

/// The terms of the canonical form of e, each in lowest terms; e is their sum.
std::vector<Expr> canonical_terms(Expr e);

/// Integers n with Σ n_k basis_k = form (turns are left out), when there are any.
std::optional<std::vector<long>> integer_coordinates(const LinearForm& form,
                                                     std::span<const LinearForm> basis);

}  // namespace rattleback
