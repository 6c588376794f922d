#include <rattleback/geometry/lifts.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>

namespace rattleback {
namespace {

void require_tangent_bundle(const Space& TQ, const Space& Q) {
  if (TQ.dimension() != 2 * Q.dimension()) throw Bug("a lift needs the tangent bundle of the field's space");
}

/// C_jk^i v^j X^k.
Expr structure_term(const VectorField& X, int i) {
  const Space& Q = X.space();
  std::vector<Expr> terms{Expr(0)};
  for (int j = 0; j < Q.dimension(); ++j) {
    for (int k = 0; k < Q.dimension(); ++k) {
      if (!Q.c()(j, k, i).is_zero()) terms.push_back(Q.c()(j, k, i) * Expr(Q.velocities()[j]) * X[k]);
    }
  }
  return sum(terms);
}

}  // namespace

VectorField vertical_lift(const Space& TQ, const VectorField& X) {
  require_tangent_bundle(TQ, X.space());
  const int n = X.space().dimension();
  VectorField lift(TQ);
  for (int i = 0; i < n; ++i) lift[n + i] = X[i];
  return lift;
}

VectorField complete_lift(const Space& TQ, const VectorField& X) {
  require_tangent_bundle(TQ, X.space());
  const int n = X.space().dimension();
  VectorField lift(TQ);
  for (int i = 0; i < n; ++i) {
    lift[i] = X[i];
    lift[n + i] = complete_lift(X.space(), X[i]) + structure_term(X, i);
  }
  return lift;
}

Expr complete_lift(const Space& Q, Expr f) { return derivative_along(f, Q.motion()); }

}  // namespace rattleback
