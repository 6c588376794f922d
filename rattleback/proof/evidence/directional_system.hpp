#pragma once
/// Compatibility of linear first-order equations Y_k[σ] = w_k for one unknown function: prolongation by brackets of the fields.

#include <string>
#include <vector>

#include <rattleback/geometry/vector_field.hpp>

namespace rattleback {

/// Where an equation of a closure comes from: its place among those given, or the two equations whose bracket it is.
struct Descent {
  int given = -1, first = -1, second = -1;
};

/// Y[σ] = rate.
struct DirectionalEquation {
  VectorField field;
  Expr rate;
  std::string name;  ///< "X_1", "[X_1, X_2]": for people
  Descent from = {};
};

/// What follows from Y_k[σ] = w_k with no unknown left: `residual` must vanish.
struct DirectionalCondition {
  Expr residual;
  std::string origin;
  Descent from = {};                    ///< of the equation Z[σ] = w that contradicts the others
  std::vector<Expr> coefficients = {};  ///< Z = c^i Y_i, Y_i the first equations of the closure
};

/// From Y[σ] = v and Z[σ] = w follows [Y, Z][σ] = Y[w] − Z[v]. New directions are kept; where a direction depends on
/// earlier ones, Z = c^i Y_i, the rates must obey w = c^i v_i.                                              (M.3)
struct DirectionalClosure {
  std::vector<DirectionalEquation> equations;    ///< independent, closed under brackets
  std::vector<DirectionalCondition> conditions;  ///< those that are not satisfied identically
  bool determines_everything = false;            ///< the fields span every direction: dσ is known
};
/// Stops after `most` violated conditions. Throws Exhausted when the thread's budget runs out.
DirectionalClosure closure(std::vector<DirectionalEquation> given, int most = 6);

/// Legs of Lie algebras given without their group: every function of the configuration has the derivative 0 along them.
std::vector<int> legs_without_functions(const Space& space);

/// div(X^i X_i) = X_i[X^i] − X^i C_ij^j: the divergence for the volume with μ(X_1, …, X_n) = 1.             (M.1)
/// Legs without functions have no volume of their own and do not contribute.
Expr divergence(const VectorField& X);

}  // namespace rattleback
