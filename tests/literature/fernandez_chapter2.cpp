// O. E. Fernandez, The Hamiltonization of Nonholonomic Systems and its Applications (thesis, 2009), chapter II and section 3.6.2:
// Hamilton's equations, brackets, Euler–Poincaré–Suslov equations and their measures.
#include <doctest/doctest.h>

#include <rattleback/geometry/bivector.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>
#include <rattleback/proof/variational/helmholtz.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

std::vector<Symbol> symbols(std::initializer_list<const char*> names) {
  std::vector<Symbol> all;
  for (const char* name : names) all.push_back(Symbol::make(name));
  return all;
}

/// The canonical bivector on (q1, q2, p1, p2): {q, p} = 1.
Bivector canonical_bivector(const Space& phase) {
  Bivector pi(phase);
  pi.set(0, 2, Expr(1));
  pi.set(1, 3, Expr(1));
  return pi;
}

/// {μ_b, μ_c} = −μ_a C_bc^a.
Bivector lie_poisson(const LieAlgebra& g, const std::vector<Symbol>& mu) {
  Bivector pi(Space::chart(mu));
  for (int b = 0; b < g.dimension(); ++b) {
    for (int c = b + 1; c < g.dimension(); ++c) {
      std::vector<Expr> terms{Expr(0)};
      for (int a = 0; a < g.dimension(); ++a)
        terms.push_back(-g.c(b, c, a) * mu[static_cast<std::size_t>(a)]);
      pi.set(b, c, sum(terms));
    }
  }
  return pi;
}

/// The constraint covector a, the inertia and the algebra of a model on a Lie algebra.
struct Suslov {
  LieAlgebra g;
  Matrix inertia, a;
};
Suslov data(const System& system) {
  const Space& Q = system.space;
  std::vector<std::string> basis;
  for (const Symbol v : Q.velocities()) basis.push_back(v.name());
  return {LieAlgebra(basis, Q.c()), jacobian(gradient(system.lagrangian, Q.velocities()), Q.velocities()),
          Matrix::column(gradient(system.constraints[0].expression, Q.velocities()))};
}

}  // namespace

TEST_CASE(
    "FE-2.4, FE-2.6, FE-II.2: q' = dH/dp, p' = -dH/dq; the flow keeps H and the volume; Jacobi's identity") {
  const std::vector<Symbol> z = symbols({"q1", "q2", "p1", "p2"});
  const Space phase = Space::chart(z);
  const Bivector pi = canonical_bivector(phase);
  CHECK(proved(satisfies_jacobi(pi)));
  const Expr H = parse("p1^2/2 + (1 + q1^2)*p2^2/2 + q1*q2^3");
  const VectorField X = hamiltonian_vector_field(pi, H);
  CHECK(proved(are_equal(X[0], derivative(H, z[2]))));
  CHECK(proved(are_equal(X[2], -derivative(H, z[0]))));
  CHECK(proved(is_zero(X(H))));
  Expr divergence = 0;
  for (int i = 0; i < 4; ++i) divergence += phase.derivative(i, X[i]);
  CHECK(proved(is_zero(divergence)));
  Bivector mutant = pi;  // a magnetic term that is not closed
  mutant.set(2, 3, parse("p1"));
  CHECK(refuted(satisfies_jacobi(mutant)));
}

TEST_CASE("FE-2.7: d/dt dl/dxi = ad*_xi dl/dxi, <ad*_xi mu, eta> = <mu, [xi, eta]>") {
  for (const char* name : {"so3-top-algebra", "bianchi-v"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const Space& Q = system.space;
    std::vector<std::string> basis;
    for (const Symbol v : Q.velocities()) basis.push_back(v.name());
    const LieAlgebra g(basis, Q.c());
    const EquationsOfMotion e = hamel_equations(system);
    const std::vector<Expr> velocities(Q.velocities().begin(), Q.velocities().end());
    const Matrix xi = substitute(Matrix::column(velocities), e.velocities),
                 mu = substitute(Matrix::column(gradient(system.lagrangian, Q.velocities())), e.velocities);
    const Matrix rate = derivative_along(mu, motion_of(system, e)), dual = ad_star(g, xi, mu);
    std::vector<Expr> right, wrong;
    for (int i = 0; i < rate.rows(); ++i) {
      right.push_back(rate[i] - dual[i]);
      wrong.push_back(rate[i] + dual[i]);
    }
    CHECK(all_vanish(right));
    CHECK(some_do_not_vanish(wrong));
    Matrix eta(rate.rows(), 1);
    for (int i = 0; i < eta.rows(); ++i) eta[i] = symbol("eta" + std::to_string(i + 1));
    CHECK(all_vanish({dot(dual, eta) - dot(mu, bracket(g, xi, eta))}));
  }
}

TEST_CASE("FE-2.9, FE-2.10: Lie-Poisson equations; on so(3) the rigid body, mu' = mu x Omega") {
  const std::vector<Symbol> mu = symbols({"m1", "m2", "m3"});
  const Bivector pi = lie_poisson(so3(), mu);
  CHECK(proved(satisfies_jacobi(pi)));
  const Expr h = parse("m1^2/(2*I1) + m2^2/(2*I2) + m3^2/(2*I3)");
  const Matrix Omega = Matrix::column(gradient(h, mu));
  const Matrix M = Matrix::column(std::vector<Expr>(mu.begin(), mu.end()));
  const Matrix expected = cross(M, Omega), dual = ad_star(so3(), Omega, M);
  const VectorField X = hamiltonian_vector_field(pi, h);
  for (int i = 0; i < 3; ++i) {
    CHECK(proved(are_equal(X[i], expected[i])));
    CHECK(proved(are_equal(X[i], dual[i])));
  }
  CHECK(proved(satisfies_jacobi(lie_poisson(se2(), mu))));
}

TEST_CASE(
    "FE-3.24, FE-3.25, FE-3.28: the Euler-Poincare-Suslov equation, in mu and in momenta on the constraint") {
  for (const char* name : {"suslov-algebra", "chaplygin-sleigh-algebra", "gl2-suslov"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const Suslov s = data(system);
    const SuslovHamiltonization x = suslov_hamiltonization(system);
    // μ' = ad*_ξ μ − ⟨μ, [ξ, I⁻¹a]⟩/⟨a, I⁻¹a⟩ a at ξ = ψ z, paired with u_α, against ṗ_α = −S_αβ^γ z^β p_γ.
    const Matrix z = Matrix::column(std::vector<Expr>(x.d.speeds.begin(), x.d.speeds.end()));
    const Matrix xi = x.d.psi * z, mu = s.inertia * xi, Ia = solve(s.inertia, s.a)->x;
    const Matrix rate = ad_star(s.g, xi, mu) - dot(mu, bracket(s.g, xi, Ia)) / dot(s.a, Ia) * s.a;
    CHECK(proved(is_zero(dot(Ia, rate))));  // the constraint ⟨a, I⁻¹μ⟩ = 0 is kept
    const Matrix p = transpose(x.d.psi) * mu;
    for (int alpha = 0; alpha < x.d.rank(); ++alpha) {
      Expr reduced = 0;
      for (int beta = 0; beta < x.d.rank(); ++beta) {
        for (int gamma = 0; gamma < x.d.rank(); ++gamma)
          reduced -= x.S(alpha, beta, gamma) * z[beta] * p[gamma];
      }
      CHECK(proved(are_equal(dot(x.d.psi.column(alpha), rate), reduced)));
    }
  }
}

TEST_CASE(
    "FE-III.1, FE-3.7.2, FE-3.34-ex: K ad*_{I^-1 a} a + T on the constraint is the divergence; Suslov and "
    "the sleigh") {
  for (const char* name : {"suslov-algebra", "chaplygin-sleigh-algebra", "heisenberg-suslov", "gl2-suslov"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const Suslov s = data(system);
    const SuslovHamiltonization x = suslov_hamiltonization(system);
    const Matrix Ia = solve(s.inertia, s.a)->x;
    const Matrix form = 1 / dot(s.a, Ia) * ad_star(s.g, Ia, s.a) + transpose(trace_form(s.g));
    for (int alpha = 0; alpha < x.d.rank(); ++alpha)
      CHECK(proved(are_equal(dot(form, x.d.psi.column(alpha)), x.trace[static_cast<std::size_t>(alpha)])));
  }
  // A measure iff a is an eigenvector of the inertia; the sleigh iff its mass centre lies over the blade.
  CHECK(some_do_not_vanish(suslov_hamiltonization(load_model("suslov-algebra")).trace));
  CHECK(all_vanish(
      suslov_hamiltonization(with_values(load_model("suslov-algebra"), {{"I13", "0"}, {"I23", "0"}})).trace));
  CHECK(all_vanish(
      suslov_hamiltonization(with_values(load_model("chaplygin-sleigh-algebra"), {{"a", "0"}})).trace));
  // Without constraints: iff the algebra is unimodular.
  CHECK(some_do_not_vanish(suslov_hamiltonization(load_model("bianchi-v")).trace));
  CHECK(all_vanish(suslov_hamiltonization(load_model("euler-top")).trace));
}

TEST_CASE(
    "FE-2.5-H: each of Helmholtz' conditions is needed, and the algebraic ones never exclude the Hessian") {
  const Symbol x = Symbol::make("x"), y = Symbol::make("y"), z = Symbol::make("z");
  const Symbol u = Symbol::make("u"), v = Symbol::make("v"), w = Symbol::make("w");
  // Of g = 1 for x'' = -K x only g Φ = 2K can fail to be symmetric.
  const SecondOrderSystem twisted{{x, y}, {u, v}, {-Expr(x) - 2 * Expr(y), -Expr(y)}};
  CHECK(refuted(satisfies_helmholtz(twisted, Matrix::identity(2))));
  const SecondOrderSystem straight{{x, y}, {u, v}, {-Expr(x) - 2 * Expr(y), -Expr(y) - 2 * Expr(x)}};
  CHECK(proved(satisfies_helmholtz(straight, Matrix::identity(2))));
  // Along straight lines Φ = 0: what is left is that g does not change along them, and is a Hessian in the velocities.
  const SecondOrderSystem line{{x}, {u}, {Expr(0)}}, plane{{x, y}, {u, v}, {Expr(0), Expr(0)}};
  CHECK(refuted(satisfies_helmholtz(line, Matrix{{Expr(x)}})));
  CHECK(proved(satisfies_helmholtz(line, Matrix{{1 + pow(u, 2)}})));
  CHECK(refuted(satisfies_helmholtz(plane, Matrix{{1 + pow(v, 2), Expr(0)}, {Expr(0), Expr(1)}})));
  CHECK(proved(satisfies_helmholtz(plane, Matrix{{1 + pow(u, 2), Expr(0)}, {Expr(0), Expr(1)}})));
  CHECK(refuted(satisfies_helmholtz(plane, Matrix{{Expr(1), Expr(1)}, {Expr(1), Expr(1)}})));  // singular
  CHECK(
      refuted(satisfies_helmholtz(plane, Matrix{{Expr(1), Expr(1)}, {Expr(-1), Expr(1)}})));  // not symmetric
  CHECK(refuted(is_lagrangian(plane, pow(u, 2))));  // its equations hold, and determine nothing
  CHECK(proved(is_lagrangian(plane, pow(u, 2) + pow(v, 4))));
  // A Lagrangian in three variables with curvature: its Hessian is among the matrices left, and not all are singular.
  const Expr L = pow(u, 2) * exp(y) / 2 + pow(v, 2) * (1 + pow(x, 2)) / 2 + pow(w, 2) * (2 + pow(y, 2)) / 2 +
                 x * v * w + pow(u, 4) / 12 - x * y * z;
  const Matrix g = jacobian(gradient(L, std::vector{u, v, w}), std::vector{u, v, w});
  SecondOrderSystem s{{x, y, z}, {u, v, w}, {}};
  const std::vector<Expr> p = gradient(L, s.v), pull = gradient(L, s.q);
  Matrix right(3, 1);
  for (int i = 0; i < 3; ++i)
    right[i] = pull[static_cast<std::size_t>(i)] -
               derivative_along(p[static_cast<std::size_t>(i)], {{x, Expr(u)}, {y, Expr(v)}, {z, Expr(w)}});
  const auto solved = solve(g, right);
  REQUIRE(solved);
  s.f = {solved->x[0], solved->x[1], solved->x[2]};
  CHECK(all_vanish(euler_lagrange(s, L)));
  const AlgebraicMultipliers left = algebraic_multipliers(s);
  CHECK(refuted(left.singular));
  Matrix columns(6, static_cast<int>(left.basis.size()) + 1);
  for (int k = 0; k < columns.columns(); ++k) {
    const Matrix& m = k < static_cast<int>(left.basis.size()) ? left.basis[static_cast<std::size_t>(k)] : g;
    for (int i = 0, at = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) columns(at++, k) = m(i, j);
    }
  }
  CHECK(rank(columns) == static_cast<int>(left.basis.size()));
}
