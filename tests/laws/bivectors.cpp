// Bivectors, brackets, and when they are Poisson.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/algebra/solving/minors.hpp>
#include <rattleback/geometry/named_algebras.hpp>

#include "random_geometry.hpp"

using namespace rattleback;

namespace {

/// J(df, dg, dh) for i < j < k components.
Expr contracted(const Space& Q, const Trivector& t, Expr f, Expr g, Expr h) {
  const Matrix rows = as_rows(Q, {differential(Q, f), differential(Q, g), differential(Q, h)});
  const std::vector<int> all{0, 1, 2};
  Expr value = 0;
  std::size_t k = 0;
  for (const auto& ijk : subsets(Q.dimension(), 3)) value += t[k++] * minor(rows, all, ijk);
  return value;
}

Bivector wedge(const VectorField& X, const VectorField& Y) {
  Bivector pi(X.space());
  for (int i = 0; i < X.space().dimension(); ++i) {
    for (int j = i + 1; j < X.space().dimension(); ++j) pi.set(i, j, X[i] * Y[j] - X[j] * Y[i]);
  }
  return pi;
}

/// (X∧Y∧Z)^{ijk}, a determinant.
Trivector wedge(const VectorField& X, const VectorField& Y, const VectorField& Z) {
  const Matrix columns = as_columns(X.space(), {X, Y, Z});
  const std::vector<int> all{0, 1, 2};
  Trivector t;
  for (const auto& ijk : subsets(X.space().dimension(), 3)) t.push_back(minor(columns, ijk, all));
  return t;
}

std::vector<Expr> combination(std::initializer_list<std::pair<int, Trivector>> terms) {
  std::vector<Expr> total(terms.begin()->second.size(), Expr(0));
  for (const auto& [sign, t] : terms) {
    for (std::size_t k = 0; k < t.size(); ++k) total[k] += Expr(sign) * t[k];
  }
  return total;
}

}  // namespace

TEST_CASE("X_f[g] = {g, f} and {f, g} = −{g, f} (B.2)") {
  RandomGeometry random(50);
  for (const Space& Q : spaces()) {
    const Bivector pi = random.bivector(Q);
    const Expr f = random.function(Q), g = random.function(Q);
    CHECK(proved(is_zero(hamiltonian_vector_field(pi, f)(g) - bracket(pi, g, f))));
    CHECK(proved(is_zero(bracket(pi, f, g) + bracket(pi, g, f))));
    CHECK(refuted(is_zero(hamiltonian_vector_field(pi, f)(g) - bracket(pi, f, g))));
  }
}

TEST_CASE("the Jacobiator is {{f, g}, h} + cyclic, also in frames that do not commute (B.3)") {
  RandomGeometry random(51);
  for (const Space& Q : spaces()) {
    const Bivector pi = random.bivector(Q);
    const Expr f = random.function(Q), g = random.function(Q), h = random.function(Q);
    const Expr cyclic = bracket(pi, bracket(pi, f, g), h) + bracket(pi, bracket(pi, g, h), f) +
                        bracket(pi, bracket(pi, h, f), g);
    CHECK(proved(is_zero(cyclic - contracted(Q, jacobiator(pi), f, g, h))));
    CHECK(refuted(is_zero(cyclic + contracted(Q, jacobiator(pi), f, g, h))));
  }
}

TEST_CASE(
    "the Schouten bracket is symmetric, [π, π] = 2J, and on products of fields it is made of brackets "
    "(B.4)") {
  RandomGeometry random(52);
  for (const Space& Q : spaces()) {
    const Bivector P = random.bivector(Q), R = random.bivector(Q);
    CHECK(proved(is_zero(combination({{1, schouten_bracket(P, R)}, {-1, schouten_bracket(R, P)}}))));
    CHECK(proved(is_zero(combination({{1, schouten_bracket(P, P)}, {-2, jacobiator(P)}}))));
    CHECK(refuted(is_zero(combination({{1, schouten_bracket(P, P)}, {-1, jacobiator(P)}}))));

    // [X∧Y, Z∧W] = −([X,Z]∧Y∧W − [X,W]∧Y∧Z − [Y,Z]∧X∧W + [Y,W]∧X∧Z) with the sign of (B.3).
    const VectorField X = random.field(Q), Y = random.field(Q), Z = random.field(Q), W = random.field(Q);
    const Trivector left = schouten_bracket(wedge(X, Y), wedge(Z, W));
    CHECK(proved(is_zero(combination({{1, left},
                                      {1, wedge(bracket(X, Z), Y, W)},
                                      {-1, wedge(bracket(X, W), Y, Z)},
                                      {-1, wedge(bracket(Y, Z), X, W)},
                                      {1, wedge(bracket(Y, W), X, Z)}}))));
    CHECK(refuted(is_zero(combination({{1, left},
                                       {-1, wedge(bracket(X, Z), Y, W)},
                                       {1, wedge(bracket(X, W), Y, Z)},
                                       {1, wedge(bracket(Y, Z), X, W)},
                                       {-1, wedge(bracket(Y, W), X, Z)}}))));
  }
}

TEST_CASE("Lie–Poisson brackets {μ_b, μ_c} = −C_bc^a μ_a are Poisson; with a constant changed they are not") {
  for (const LieAlgebra& g : {so3(), se2(), sl2(), heisenberg_algebra(), so4(), gl2(), bianchi("IV")}) {
    std::vector<Symbol> mu;
    for (const std::string& name : g.basis())
      mu.push_back(Symbol::make("mu_" + name, {.role = Role::momentum}));
    const auto lie_poisson = [&](const StructureCoefficients& c) {
      Bivector pi(Space::chart(mu));
      for (int b = 0; b < g.dimension(); ++b) {
        for (int d_ = b + 1; d_ < g.dimension(); ++d_) {
          Expr value = 0;
          for (int a = 0; a < g.dimension(); ++a) value -= c(b, d_, a) * Expr(mu[a]);
          pi.set(b, d_, value);
        }
      }
      return pi;
    };
    CHECK(proved(satisfies_jacobi(lie_poisson(g.c()))));
    StructureCoefficients mutant = g.c();
    mutant.set(0, 1, 0, mutant(0, 1, 0) + 1);
    mutant.set(0, 2, 2, mutant(0, 2, 2) + 3);
    mutant.set(1, 2, 1, mutant(1, 2, 1) + 5);
    CHECK(refuted(satisfies_jacobi(lie_poisson(mutant))));
  }
}

TEST_CASE("the nonholonomic bracket of the sleigh violates Jacobi; its reduction does not") {
  const Symbol x = Symbol::make("x"), y = Symbol::make("y"), th = Symbol::make("th"), p1 = Symbol::make("p1"),
               p2 = Symbol::make("p2");
  const Expr a = symbol("a"), J = symbol("J"), m = symbol("m");
  // {q, p_α} = X_α, {p_u, p_ω} = m a/(J + m a²) p_ω.
  Bivector pi(Space::chart(std::vector{x, y, th, p1, p2}));
  pi.set(0, 3, cos(Expr(th)));
  pi.set(1, 3, sin(Expr(th)));
  pi.set(2, 4, 1);
  pi.set(3, 4, m * a / (J + m * a * a) * Expr(p2));
  CHECK(refuted(satisfies_jacobi(pi)));
  CHECK(rank(pi) == 4);
  REQUIRE(null_forms(pi).size() == 1);
  CHECK(proved(is_zero(null_forms(pi)[0](VectorField(pi.space(), {cos(Expr(th)), sin(Expr(th)), 0, 0, 0})))));

  Bivector reduced(Space::chart(std::vector{p1, p2}));
  reduced.set(0, 1, m * a / (J + m * a * a) * Expr(p2));
  CHECK(proved(satisfies_jacobi(reduced)));
}
