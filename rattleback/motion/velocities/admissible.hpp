#pragma once
/// The admissible velocities, parametrised: v = ψ(q, z), so that the constraints hold for every z.

#include <vector>

#include <rattleback/algebra/expression/matrix.hpp>
#include <rattleback/algebra/expression/verdict.hpp>
#include <rattleback/geometry/vector_field.hpp>
#include <rattleback/model/system/system.hpp>
#include <rattleback/model/system/velocity_rows.hpp>

namespace rattleback {

/// v^i = Ψ^i_α(q) z^α + y^i(q, t): every solution of constraints that are linear or affine in the velocities.  (H.1)
struct Admissible {
  Space space;
  std::vector<Symbol> speeds;     ///< z^α
  Matrix psi;                     ///< Ψ, n × r; its columns X_α are a frame of D
  Matrix drift;                   ///< y, n × 1; zero for linear constraints
  std::vector<Expr> definitions;  ///< z^α as functions of the v^i, valid on the constraint
  Assumptions where;

  int rank() const { return static_cast<int>(speeds.size()); }
  /// X_α.
  VectorField leg(int alpha) const;
  /// V = y + z^α X_α with the speeds as constants: the velocity itself, as a field.
  VectorField velocity() const;
  /// v^i ↦ ψ^i(q, z).
  SymbolMap substitution() const;
};

/// From [parametrization] or [velocities] where the model has them, otherwise a kernel of the constraints whose
/// entries stay regular. Throws Error[nonlinear-constraint], [inconsistent-constraints], [velocities-not-a-frame].
Admissible admissible_velocities(const System& system);
/// The same frame with unsimplified entries, as elimination leaves them: for numerical code.
Admissible eliminated_velocities(const System& system);

/// The constraints as rows A v + b, those that follow from earlier ones left out.
/// Throws Error[nonlinear-constraint], [inconsistent-constraints].
VelocityRows independent_constraints(const System& system);

}  // namespace rattleback
