// Vector fields, brackets and frames. Every law comes with a mutant it must reject.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>

#include "random_geometry.hpp"

using namespace rattleback;

TEST_CASE(
    "the frame of every space has the structure coefficients it claims: X_i X_j f − X_j X_i f = C_ij^k X_k "
    "f") {
  for (const Space& Q : more_spaces()) {
    for (int i = 0; i < Q.dimension(); ++i) {
      for (int j = i + 1; j < Q.dimension(); ++j) {
        for (const Symbol q : Q.functions()) {
          Expr claim = 0;
          for (int k = 0; k < Q.dimension(); ++k) claim += Q.c()(i, j, k) * Q.derivative(k, Expr(q));
          const Expr commutator =
              Q.derivative(i, Q.derivative(j, Expr(q))) - Q.derivative(j, Q.derivative(i, Expr(q)));
          CHECK(proved(is_zero(commutator - claim)));
          if (!vanishes_at_random_points(claim))
            CHECK(refuted(is_zero(commutator + claim)));  // right-invariant sign
        }
      }
    }
  }
}

TEST_CASE("left-invariant fields keep BᵀB = 1; a symmetric generator does not") {
  const Space Q({special_orthogonal_3("B")});
  const Matrix B = Q.factors()[0].rotation();
  for (int k = 0; k < 3; ++k) {
    for (const Expr e : (transpose(B) * B).entries()) CHECK(proved(is_zero(Q.derivative(k, e))));
  }
  SymbolMap stretch;
  for (const Symbol b : Q.functions()) stretch.emplace(b, Expr(b));
  CHECK(refuted(is_zero(derivative_along((transpose(B) * B)(0, 0), stretch))));
}

TEST_CASE("[X, Y] f = X(Y f) − Y(X f), on every space (F.2)") {
  RandomGeometry random(20);
  for (const Space& Q : spaces()) {
    const VectorField X = random.field(Q), Y = random.field(Q);
    const Expr f = random.function(Q), commutator = X(Y(f)) - Y(X(f));
    VectorField Z = bracket(X, Y);
    CHECK(proved(is_zero(commutator - Z(f))));
    for (int i = 0; i < Q.dimension(); ++i) Z[i] = Z[i] + f;  // the mutant
    CHECK(refuted(is_zero(commutator - Z(f))));
  }
}

TEST_CASE("the bracket is antisymmetric, satisfies Jacobi, and is a derivation over functions") {
  RandomGeometry random(21);
  for (const Space& Q : spaces()) {
    const VectorField X = random.field(Q), Y = random.field(Q), Z = random.field(Q);
    const Expr f = random.function(Q);
    CHECK(proved(is_zero((bracket(X, Y) + bracket(Y, X)).coefficients())));
    CHECK(refuted(is_zero((bracket(X, Y) - bracket(Y, X)).coefficients())));

    const VectorField a = bracket(X, bracket(Y, Z)), b = bracket(Y, bracket(Z, X)),
                      c = bracket(Z, bracket(X, Y));
    CHECK(proved(is_zero((a + b + c).coefficients())));
    CHECK(refuted(is_zero((a + b - c).coefficients())));

    const VectorField leibniz = f * bracket(X, Y) - Y(f) * X;
    CHECK(proved(is_zero((bracket(f * X, Y) - leibniz).coefficients())));
    CHECK(refuted(is_zero((bracket(f * X, Y) - f * bracket(X, Y)).coefficients())));
  }
}

TEST_CASE("the dual coframe pairs with the frame to the unit matrix") {
  RandomGeometry random(22);
  for (const Space& Q : spaces()) {
    const Frame e = random.frame(Q);
    const Coframe theta = dual(e);
    for (int a = 0; a < e.dimension(); ++a) {
      for (int b = 0; b < e.dimension(); ++b) {
        CHECK(proved(is_zero(theta[a](e[b]) - (a == b ? 1 : 0))));
        CHECK(refuted(is_zero(theta[a](e[b]) - (a == b ? 0 : 1))));
      }
    }
  }
}

TEST_CASE("structure coefficients satisfy the Jacobi identity (F.5)") {
  RandomGeometry random(23);
  for (const Space& Q : spaces()) {
    const Frame e = random.frame(Q);
    StructureCoefficients c = structure_coefficients(e);
    CHECK(proved(is_zero(jacobiator(e, c))));
    int k = 0;
    for (const Symbol q : Q.functions()) c(0, 1, 2) += Expr(++k) * pow(Expr(q), 2);  // the mutant
    CHECK(refuted(is_zero(jacobiator(e, c))));
  }
}

TEST_CASE("c_ab^d = −dθ^d(e_a, e_b) (F.6)") {
  RandomGeometry random(24);
  for (const Space& Q : spaces()) {
    const Frame e = random.frame(Q);
    const StructureCoefficients c = structure_coefficients(e);
    const Coframe theta = dual(e);
    bool opposite_refuted = false;
    for (int d_ = 0; d_ < e.dimension(); ++d_) {
      const Form dtheta = d(theta[d_]);
      for (int a = 0; a < e.dimension(); ++a) {
        for (int b = a + 1; b < e.dimension(); ++b) {
          CHECK(proved(is_zero(c(a, b, d_) + dtheta({e[a], e[b]}))));
          opposite_refuted = opposite_refuted || refuted(is_zero(c(a, b, d_) - dtheta({e[a], e[b]})));
        }
      }
    }
    CHECK(opposite_refuted);
  }
}

TEST_CASE("a space in another frame has the same brackets") {
  RandomGeometry random(25);
  for (const Space& Q : spaces()) {
    const Frame e = random.frame(Q);
    std::vector<Symbol> w;
    for (int a = 0; a < e.dimension(); ++a)
      w.push_back(Symbol::make("w" + std::to_string(a), {.role = Role::velocity}));
    const Space adapted = in_frame(e, w);
    const VectorField X = random.field(Q), Y = random.field(Q);
    const VectorField there = in_frame(adapted, e, bracket(X, Y));
    const VectorField here = bracket(in_frame(adapted, e, X), in_frame(adapted, e, Y));
    CHECK(proved(is_zero((here - there).coefficients())));
    CHECK(refuted(is_zero((here + there).coefficients())));
  }
}
