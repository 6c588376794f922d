#pragma once
/// Systems of polynomial equations taken apart into triangular chains by factoring and pseudo-division.

#include <cstdint>
#include <vector>

#include <rattleback/algebra/expression/derivative.hpp>
#include <rattleback/algebra/fields/exact_field.hpp>

namespace rattleback {

/// One component: polynomials f_1, f_2, …, each with a leading variable that no other has.
struct Chain {
  std::vector<Polynomial> polynomials;
  std::vector<int> variables;  ///< leading generators

  /// The leading variables as functions of the others, when every polynomial is linear in its own; else empty.
  SymbolMap solution(const Field& field) const;
};

/// Which equations that are linear in a variable are solved before those of higher degree. `solvable`: those whose leading coefficient vanishes
/// nowhere. `all`: every one, with the zeros of the coefficient as a case of its own. `solvable_first`: every one, the former first. Which
/// choice keeps the degrees low depends on the equations.
enum class LinearSteps : std::uint8_t { solvable, all, solvable_first };

/// The components of {p = 0 for all p}, without those that signs exclude (positive symbols are positive) and those
/// contained in another. `complete` becomes false when one could not be taken apart to the end. When generators are
/// named as `unknowns`, these are solved for and everything free of them is taken for nonzero: generic parameters.
std::vector<Chain> components(const Field& field, std::vector<Polynomial> equations, bool& complete,
                              std::vector<int> unknowns = {}, LinearSteps linear = LinearSteps::solvable);

/// c_0, c_1, … of p = Σ c_n x^n, x the generator g.
std::vector<Expr> coefficients_in(const Field& field, const Polynomial& p, int g);

}  // namespace rattleback
