#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/geometry/space.hpp>

using namespace rattleback;

TEST_CASE("a product has the functions, velocities and structure coefficients of its factors, in order") {
  const Space Q({line("x"), circle("phi"), special_orthogonal_3("B")});
  CHECK(Q.dimension() == 5);
  CHECK(Q.functions().size() == 11);
  CHECK(Q.functions()[2].name() == "B11");
  CHECK(Q.velocities()[0].name() == "x'");
  CHECK(Q.velocities()[2].name() == "Omega1");
  CHECK(Q.accelerations()[0].name() == "x''");
  CHECK(Q.accelerations()[2].name() == "Omega1'");
  CHECK(Q.c()(2, 3, 4).is_one());
  CHECK(Q.c()(0, 1, 2).is_zero());
  CHECK(Q.coordinate(1)->name() == "phi");
  CHECK_FALSE(Q.coordinate(2));
  CHECK(Q.factors()[1].pieces[0].carrier == Carrier::angle);
  CHECK(Q.factors()[2].pieces[0].carrier == Carrier::unit_quaternion);
}

TEST_CASE("B' = B Ω̂ and γ' = γ × Ω for γ = Bᵀ e3 (F.7)") {
  const Space Q({special_orthogonal_3("B", 0, {"p", "q", "r"})});
  const Matrix B = Q.factors()[0].rotation();
  const Matrix Omega = Matrix::column(std::vector<Expr>(Q.velocities().begin(), Q.velocities().end()));
  CHECK(derivative_along(B, Q.motion()) == B * hat(Omega));
  const Matrix gamma = transpose(B.row(2));
  CHECK(proved(is_zero((derivative_along(gamma, Q.motion()) - cross(gamma, Omega)).entries())));
  CHECK(refuted(is_zero((derivative_along(gamma, Q.motion()) + cross(gamma, Omega)).entries())));
}

TEST_CASE("rates: time counts, velocities bring accelerations (F.1)") {
  const Space Q({line("x"), special_euclidean_2("u", "v", "theta")});
  const Symbol t = Symbol::make("t", {.role = Role::time});
  const Expr x(Q.functions()[0]), u(Q.functions()[1]), theta(Q.functions()[3]), dx(Q.velocities()[0]),
      omega(Q.velocities()[1]), v1(Q.velocities()[2]), v2(Q.velocities()[3]);
  CHECK(proved(are_equal(Q.rate(x * Expr(t)), x + Expr(t) * dx)));
  CHECK(proved(are_equal(Q.rate(u), cos(theta) * v1 - sin(theta) * v2)));
  CHECK(proved(are_equal(Q.total_rate(omega * x), Expr(Q.accelerations()[1]) * x + omega * dx)));
}

TEST_CASE("SE(3) moves r' = B V") {
  const Space Q({special_euclidean_3("B", "r")});
  const Factor& f = Q.factors()[0];
  Matrix V(3, 1);
  for (int k = 0; k < 3; ++k) V[k] = Q.velocities()[3 + k];
  CHECK(derivative_along(f.position(), Q.motion()) == f.rotation() * V);
}

TEST_CASE("a Lie algebra is a space without functions") {
  const Space g({algebra_factor("g", sl2())});
  CHECK(g.dimension() == 3);
  CHECK(g.functions().empty());
  CHECK(g.velocities()[0].name() == "xi1");
  CHECK(g.derivative(0, symbol("a")).is_zero());
}

TEST_CASE("a wrong number of names is an error") {
  CHECK_THROWS_AS(special_orthogonal_3("B", 0, {"p", "q"}), Error);
}

TEST_CASE("products of spaces keep changed frames") {
  const Space Q({line("x")}), R({line("y")});
  const Expr x(Q.functions()[0]);
  const Space stretched =
      Q.in_frame({{{Q.functions()[0], x}}}, StructureCoefficients(1), {Symbol::make("w")});
  const Space both = stretched * R;
  CHECK(both.derivative(0, x) == x);
  CHECK(both.rate(x) == x * symbol("w"));
}
