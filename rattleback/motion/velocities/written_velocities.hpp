#pragma once
/// Recovers sparsity of a kinetic energy: the linear forms of the velocities (of points, of turning) whose squares it adds up.

#include <span>
#include <vector>

#include <rattleback/algebra/expression/expr.hpp>

namespace rattleback {

/// L(q, v, t) = F(q, w, t) with w_k = θ_k(q, t)(v), the largest parts of L that are linear in the velocities.     (H.5)
///
/// A kinetic energy written as Σ ½ m_k w_k² has a diagonal ∂²F/∂w², however full ∂²L/∂v² is: a chain of n bodies then
/// costs O(n).
struct WrittenVelocities {
  std::vector<Symbol> names;  ///< w_k as symbols of F
  std::vector<Expr> forms;    ///< θ_k(v)
  Expr function;              ///< F
};
/// Linear or affine in the velocities, seen from the way they are written; false may be wrong.
bool are_affine_as_written(std::span<const Expr> functions, std::span<const Symbol> velocities);

WrittenVelocities written_velocities(Expr lagrangian, std::span<const Symbol> velocities);

}  // namespace rattleback
