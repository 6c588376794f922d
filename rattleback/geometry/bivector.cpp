#include <rattleback/geometry/bivector.hpp>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/algebra/solving/minors.hpp>

namespace rattleback {

Bivector::Bivector(Space space, Matrix components) : space_(std::move(space)), pi_(std::move(components)) {
  if (pi_.rows() != space_.dimension() || pi_.columns() != space_.dimension())
    throw Bug("a bivector of another space");
  for (const Expr e : (pi_ + transpose(pi_)).entries()) {
    if (!vanishes_at_random_points(e)) throw Bug("the components of a bivector have to be antisymmetric");
  }
}

Expr bracket(const Bivector& pi, Expr f, Expr g) { return hamiltonian_vector_field(pi, g)(f); }

VectorField hamiltonian_vector_field(const Bivector& pi, Expr f) {
  const OneForm df = differential(pi.space(), f);
  VectorField X(pi.space());
  for (int i = 0; i < pi.space().dimension(); ++i) {
    std::vector<Expr> terms{Expr(0)};
    for (int j = 0; j < pi.space().dimension(); ++j) {
      if (!pi(i, j).is_zero() && !df[j].is_zero()) terms.push_back(pi(i, j) * df[j]);
    }
    X[i] = sum(terms);
  }
  return X;
}

namespace {

/// P^{lk} X_l(Q^{ij}) − C_lm^k P^{li} Q^{mj}.
Expr term(const Bivector& P, const Bivector& Q, int i, int j, int k) {
  const Space& space = P.space();
  std::vector<Expr> terms{Expr(0)};
  for (int l = 0; l < space.dimension(); ++l) {
    if (!P(l, k).is_zero()) terms.push_back(P(l, k) * space.derivative(l, Q(i, j)));
    if (P(l, i).is_zero()) continue;
    for (int m = 0; m < space.dimension(); ++m) {
      if (!space.c()(l, m, k).is_zero()) terms.push_back(-(space.c()(l, m, k) * P(l, i) * Q(m, j)));
    }
  }
  return sum(terms);
}

Expr cyclic_sum(const Bivector& P, const Bivector& Q, int i, int j, int k) {
  return term(P, Q, i, j, k) + term(P, Q, j, k, i) + term(P, Q, k, i, j);
}

template <class Component>
Trivector trivector(int n, Component component) {
  Trivector t;
  for (const auto& ijk : subsets(n, 3)) t.push_back(component(ijk[0], ijk[1], ijk[2]));
  return t;
}

}  // namespace

Trivector jacobiator(const Bivector& pi) {
  return trivector(pi.space().dimension(), [&](int i, int j, int k) { return cyclic_sum(pi, pi, i, j, k); });
}

Trivector schouten_bracket(const Bivector& P, const Bivector& Q) {
  if (!(P.space() == Q.space())) throw Bug("bivectors on different spaces");
  return trivector(P.space().dimension(), [&](int i, int j, int k) {
    return cyclic_sum(P, Q, i, j, k) + cyclic_sum(Q, P, i, j, k);
  });
}

Verdict satisfies_jacobi(const Bivector& pi) { return is_zero(jacobiator(pi)); }

int rank(const Bivector& pi) { return rank(pi.components()); }

std::vector<OneForm> null_forms(const Bivector& pi) {
  return from_rows(pi.space(), transpose(left_kernel(pi.components()).basis));
}

}  // namespace rattleback
