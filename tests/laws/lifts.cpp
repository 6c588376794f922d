// Lifts to the tangent bundle, in quasi-velocities.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/lifts.hpp>

#include "random_geometry.hpp"

using namespace rattleback;

TEST_CASE("[X^c, Y^c] = [X, Y]^c and [X^c, Y^v] = [X, Y]^v and [X^v, Y^v] = 0 (F.14, F.15)") {
  RandomGeometry random(40);
  for (const Space& Q : spaces()) {
    const Space TQ = tangent_bundle(Q);
    const VectorField X = random.field(Q), Y = random.field(Q), Z = bracket(X, Y);
    const VectorField Xc = complete_lift(TQ, X), Yc = complete_lift(TQ, Y), Xv = vertical_lift(TQ, X),
                      Yv = vertical_lift(TQ, Y);
    CHECK(proved(is_zero((bracket(Xc, Yc) - complete_lift(TQ, Z)).coefficients())));
    CHECK(proved(is_zero((bracket(Xc, Yv) - vertical_lift(TQ, Z)).coefficients())));
    CHECK(proved(is_zero(bracket(Xv, Yv).coefficients())));

    CHECK(refuted(is_zero((bracket(Xc, Yc) + complete_lift(TQ, Z)).coefficients())));
    CHECK(refuted(is_zero((bracket(Xc, Yv) - vertical_lift(TQ, bracket(Y, X))).coefficients())));
    VectorField mutant = Xc;  // without the velocity part it is no complete lift
    for (int i = 0; i < Q.dimension(); ++i) mutant[Q.dimension() + i] = 0;
    CHECK(refuted(is_zero((bracket(mutant, Yc) - complete_lift(TQ, Z)).coefficients())));
  }
}

TEST_CASE("X^c(f^c) = (X f)^c and X^v(f^c) = X f") {
  RandomGeometry random(41);
  for (const Space& Q : spaces()) {
    const Space TQ = tangent_bundle(Q);
    const VectorField X = random.field(Q);
    const Expr f = random.function(Q);
    CHECK(proved(is_zero(complete_lift(TQ, X)(complete_lift(Q, f)) - complete_lift(Q, X(f)))));
    CHECK(proved(is_zero(vertical_lift(TQ, X)(complete_lift(Q, f)) - X(f))));
    CHECK(refuted(is_zero(vertical_lift(TQ, X)(complete_lift(Q, f)) + X(f))));
    CHECK(refuted(is_zero(complete_lift(TQ, X)(complete_lift(Q, f)) + complete_lift(Q, X(f)))));
  }
}
