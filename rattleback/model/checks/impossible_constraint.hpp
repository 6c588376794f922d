#pragma once
/// Constraints that cannot hold: f = 0 whose f never changes its sign, positions that exclude each other.

#include <optional>
#include <string>
#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/model/system/system.hpp>

namespace rattleback {

/// Definite: f = 0 never holds. Semidefinite: f is extremal wherever it is 0, so that its slopes vanish there and no
/// reaction is determined.
struct OneSigned {
  bool definite = false;
  std::string claim;  ///< "x'^2 + 1 is always positive"
};
std::optional<OneSigned> one_signed(const Constraint& constraint);

/// inconsistent-constraints or singular-constraint.
Error impossible_constraint(const Constraint& constraint, const std::string& why, bool definite);

/// Factors of a nonlinear constraint that are constraints of their own: (x' - 1)*(y' - 1) = 0 states two systems, and at their crossing
/// its slopes vanish. Fewer than two where it is one system; factors that are known to have no zero constrain nothing and are left out.
std::vector<Expr> factors_that_constrain(const Constraint& constraint);
/// (2 + x'^2)*(x' - y')^3 = 0 is x' - y' = 0: the one factor that may vanish, when its power is odd and neither the other factors nor the
/// denominator have zeros. Otherwise e as it is.
Expr without_factors_that_never_vanish(Expr e);
/// (1 + x^2)*(y - x)^3 = 0 is y - x = 0, likewise; e as it is where no power stands in it.
Expr without_odd_power(Expr e);
/// singular-constraint, naming the factors.
Error split_constraint(const Constraint& constraint, const std::vector<Expr>& factors);

/// Two positions whose rates agree can still differ by a constant: x = y and x = y + 1. With Σ y_s ∇f_s = 0 for constants y_s, the
/// function Σ y_s f_s is a constant, and must be 0. `rows` are the slopes of all constraints, `which` depend on each other.
bool positions_contradict(const System& system, const Matrix& rows, const std::vector<int>& which);

/// singular-constraint where N is smaller than the slopes of the position constraints say, with a configuration at which it is.
std::optional<Error> degenerate_positions(const System& system);

/// Throws the first that cannot hold, by itself or together with those before it.
void require_possible_constraints(const System& system);

}  // namespace rattleback
