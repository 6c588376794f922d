// Exterior calculus in frames: the structure terms are right if and only if these hold on groups too.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>

#include "random_geometry.hpp"

using namespace rattleback;

TEST_CASE("d² = 0 (F.11)") {
  RandomGeometry random(30);
  for (const Space& Q : spaces()) {
    for (int degree = 0; degree <= 1; ++degree) {
      const Form w = random.form(Q, degree);
      CHECK(proved(is_zero(d(d(w)).coefficients())));
      Form mutant = d(w);
      mutant[0] = mutant[0] + random.function(Q) * random.function(Q);
      if (degree == 0) CHECK(refuted(is_zero(d(mutant).coefficients())));
    }
  }
  const Form w = random.form(Space({special_euclidean_2("x", "y", "theta"), line("s")}), 2);
  CHECK(proved(is_zero(d(d(w)).coefficients())));
  CHECK(refuted(is_zero(d(w).coefficients())));
}

TEST_CASE("dα(X, Y) = X(α(Y)) − Y(α(X)) − α([X, Y]) for fields that are not legs") {
  RandomGeometry random(31);
  for (const Space& Q : spaces()) {
    const OneForm alpha = random.one_form(Q);
    const VectorField X = random.field(Q), Y = random.field(Q);
    const Expr right = X(alpha(Y)) - Y(alpha(X)) - alpha(bracket(X, Y));
    CHECK(proved(is_zero(d(alpha)({X, Y}) - right)));
    CHECK(refuted(
        is_zero(d(alpha)({X, Y}) - right - 2 * alpha(bracket(X, Y)))));  // the other sign of the bracket
  }
}

TEST_CASE("the wedge product is graded commutative, and d is a graded derivation of it") {
  RandomGeometry random(32);
  for (const Space& Q : spaces()) {
    const Form a(random.one_form(Q)), b(random.one_form(Q));
    CHECK(proved(is_zero((wedge(a, b) + wedge(b, a)).coefficients())));
    CHECK(refuted(is_zero((wedge(a, b) - wedge(b, a)).coefficients())));
    const Form right = wedge(d(a), b) - wedge(a, d(b));
    CHECK(proved(is_zero((d(wedge(a, b)) - right).coefficients())));
    CHECK(refuted(is_zero((d(wedge(a, b)) - wedge(d(a), b) - wedge(a, d(b))).coefficients())));
  }
}

TEST_CASE("Cartan: i_X d + d i_X is the Lie derivative (L_X α)(Y) = X(α(Y)) − α([X, Y]) (F.13)") {
  RandomGeometry random(33);
  for (const Space& Q : spaces()) {
    const VectorField X = random.field(Q);
    const OneForm alpha = random.one_form(Q);
    const Form by_cartan = lie_derivative(X, Form(alpha)), by_brackets(lie_derivative(X, alpha));
    CHECK(proved(is_zero((by_cartan - by_brackets).coefficients())));
    CHECK(refuted(is_zero((interior_product(X, d(alpha)) - by_brackets).coefficients())));
  }
}

TEST_CASE("L_X commutes with d, and L_X L_Y − L_Y L_X = L_[X,Y]") {
  RandomGeometry random(34);
  for (const Space& Q : spaces()) {
    const VectorField X = random.field(Q), Y = random.field(Q);
    const Form w(random.one_form(Q));
    CHECK(proved(is_zero((lie_derivative(X, d(w)) - d(lie_derivative(X, w))).coefficients())));
    CHECK(refuted(is_zero((lie_derivative(X, d(w)) - d(lie_derivative(Y, w))).coefficients())));
    const Form commutator = lie_derivative(X, lie_derivative(Y, w)) - lie_derivative(Y, lie_derivative(X, w));
    CHECK(proved(is_zero((commutator - lie_derivative(bracket(X, Y), w)).coefficients())));
    CHECK(refuted(is_zero((commutator - lie_derivative(bracket(Y, X), w)).coefficients())));
  }
}

TEST_CASE("i_X i_Y = −i_Y i_X (F.12)") {
  RandomGeometry random(35);
  for (const Space& Q : spaces()) {
    const VectorField X = random.field(Q), Y = random.field(Q);
    const Form w = random.form(Q, 2);
    const Form a = interior_product(X, interior_product(Y, w)),
               b = interior_product(Y, interior_product(X, w));
    CHECK(proved(is_zero((a + b).coefficients())));
    CHECK(refuted(is_zero((a - b).coefficients())));
  }
}
