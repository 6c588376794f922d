#pragma once
/// Constant combinations of given functions that the motion keeps: linear algebra modulo a prime, then exact coefficients.

#include <optional>
#include <vector>

#include <rattleback/algebra/arithmetic/modular_field.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/motion/equations/equations.hpp>

namespace rattleback {

/// Σ values[k] · functions[places[k]], known modulo the prime; the last value is 1.
struct Residues {
  std::vector<int> places;
  std::vector<ModP> values;
  int choice = 0;  ///< of values for the parameters, see sampled_rates
};

/// The motion with what is known about it before the search.
struct IntegralSearch {
  const System& system;
  EquationsOfMotion motion;
  SymbolMap rates;
  std::vector<Expr>
      known;  ///< integrals that are not to be found again: the energy, those of the constraints
  std::vector<Expr> ansatz;

  /// With the ansatz (Y.3).
  explicit IntegralSearch(const System& system);
  IntegralSearch(const System& system, EquationsOfMotion motion, std::vector<Expr> ansatz);

  /// X_i and ∂/∂z: directions that span the states.
  std::vector<SymbolMap> directions() const;
};

/// A basis of the combinations that are constant, modulo the prime, fewest functions first. Nothing when the motion is not defined
/// at random states.
std::optional<std::vector<Residues>> constant_combinations(const IntegralSearch& search);
/// Of the combinations that are constant those whose differentials are independent of each other and of what is known,
/// shortest first: no constants in disguise, no squares. Nothing when the motion is not defined at random states.
std::optional<std::vector<Residues>> independent_combinations(const IntegralSearch& search);
std::optional<std::vector<Residues>> independent_combinations(const IntegralSearch& search,
                                                              const std::vector<Residues>& constant);

/// The coefficients as rational numbers.
std::optional<Expr> with_numbers(const IntegralSearch& search, const Residues& x);
/// The coefficients as functions of the parameters: f_last' = −Σ c_k f_k' identically.
std::optional<Expr> with_parameters(const IntegralSearch& search, const Residues& x);

/// As short as the budget for terms allows.
Expr shortest(Expr f);

}  // namespace rattleback
