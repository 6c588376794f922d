// Distributions, flags and connections: Frobenius by two ways, curvature, and growth vectors of known systems.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/connection.hpp>
#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/integrate.hpp>

#include "random_geometry.hpp"

using namespace rattleback;

namespace {

const Expr x = symbol("x"), y = symbol("y"), z = symbol("z"), w = symbol("w");

Space chart(std::initializer_list<Expr> coordinates) {
  std::vector<Symbol> symbols;
  for (const Expr q : coordinates) symbols.push_back(q.symbol());
  return Space::chart(symbols);
}

/// The car is driven with speed u and turned with rate ω: x' = u cos θ, y' = u sin θ, θ' = ω. Trailer i, on a hook of
/// length 1, makes the angle φ_i with what pulls it: θ_i' = u cos φ_1 … cos φ_{i−1} sin φ_i, φ_i' = θ_{i−1}' − θ_i'.
Distribution car_with_trailers(int n, std::vector<Symbol>& phi) {
  std::vector<Symbol> q{Symbol::make("x"), Symbol::make("y"), Symbol::make("th")};
  phi.clear();
  for (int i = 1; i <= n; ++i) phi.push_back(Symbol::make("phi" + std::to_string(i)));
  q.insert(q.end(), phi.begin(), phi.end());
  const Space Q = Space::chart(q);
  VectorField drive(Q), turn(Q);
  drive[0] = cos(Expr(q[2]));
  drive[1] = sin(Expr(q[2]));
  turn[2] = 1;
  if (n > 0) turn[3] = 1;  // φ_1 = θ_0 − θ_1
  Expr speed = 1, previous = 0;
  for (int i = 0; i < n; ++i) {
    const Expr rate = speed * sin(Expr(phi[i]));  // θ_{i+1}', all lengths 1
    drive[3 + i] = previous - rate;
    previous = rate;
    speed *= cos(Expr(phi[i]));
  }
  return Distribution::spanned_by(Q, {drive, turn});
}

/// A ball on the plane: SO(3) × R², x' = R ω_2, y' = −R ω_1 with ω in space; without spin when `rubber`.
Distribution ball(bool rubber) {
  const Space Q({special_orthogonal_3("B"), line("x"), line("y")});
  const Expr R = symbol("R");
  const Matrix B = Q.factors()[0].rotation();
  OneForm roll_x(Q), roll_y(Q), spin(Q);
  roll_x[3] = roll_y[4] = 1;
  for (int k = 0; k < 3; ++k) {
    roll_x[k] = -R * B(1, k);
    roll_y[k] = R * B(0, k);
    spin[k] = B(2, k);
  }
  return Distribution::annihilated_by(
      Q, rubber ? std::vector{roll_x, roll_y, spin} : std::vector{roll_x, roll_y});
}

}  // namespace

TEST_CASE("the annihilator annihilates, and ranks add up (D.1)") {
  RandomGeometry random(60);
  for (const Space& Q : spaces()) {
    const Distribution D = Distribution::spanned_by(Q, {random.field(Q), random.field(Q)});
    CHECK(D.rank() + static_cast<int>(D.annihilator().size()) == Q.dimension());
    for (const OneForm& omega : D.annihilator()) {
      for (const VectorField& X : D.fields()) CHECK(proved(is_zero(omega(X))));
      CHECK(refuted(is_zero(omega(D.fields()[0] + VectorField(Q, omega.coefficients())))));
    }
    const Distribution again = Distribution::annihilated_by(Q, D.annihilator());
    for (const VectorField& X : again.fields()) CHECK(proved(contains(D, X)));
    CHECK(refuted(contains(D, VectorField(Q, D.annihilator()[0].coefficients()))));
  }
}

TEST_CASE("Frobenius by fields and by forms agree (D.2, D.3)") {
  RandomGeometry random(61);
  for (const Space& Q : spaces()) {
    const Distribution D = Distribution::spanned_by(Q, {random.field(Q), random.field(Q)});
    CHECK(refuted(is_involutive(D)));
    CHECK(refuted(is_involutive_by_forms(D)));
    // The level sets of two functions, hidden behind a change of basis of the annihilator.
    const Expr f = random.function(Q), g = random.function(Q), a = random.function(Q);
    const OneForm df = differential(Q, f), dg = differential(Q, g);
    const Distribution L = Distribution::annihilated_by(Q, {a * df + dg, df + a * a * dg});
    CHECK(proved(is_involutive(L)));
    CHECK(proved(is_involutive_by_forms(L)));
  }
}

TEST_CASE(
    "curvature is the vertical part of the bracket of horizontal fields; FE's sign of C is refuted (D.7)") {
  const Space Q = Space({line("r1"), line("r2")}) * Space({special_euclidean_2("x", "y", "theta")});
  RandomGeometry random(62);
  Matrix A(3, 2);
  for (Expr& e : A.entries()) e = random.function(Q);
  const Connection connection(Q, {0, 1}, {2, 3, 4}, A);
  const Curvature B = curvature(connection);
  const VectorField vertical = bracket(connection.horizontal(0), connection.horizontal(1));
  CHECK(proved(is_zero(std::vector{vertical[0], vertical[1]})));
  for (int a = 0; a < 3; ++a) CHECK(proved(is_zero(B(a, 0, 1) - vertical[2 + a])));
  // −C_bc^a A^b A^c instead of +: rot, v1 → v2.
  const Expr printed = B(2, 0, 1) - 2 * (A(0, 0) * A(1, 1) - A(1, 0) * A(0, 1));
  CHECK(refuted(is_zero(printed - vertical[4])));
}

TEST_CASE("a connection from constraints has them as annihilator (D.6)") {
  const Expr th = symbol("theta"), R = symbol("R");
  const Space Q = chart({x, y, th, symbol("phi")});
  const OneForm roll_x(Q, {1, 0, 0, -R * cos(th)}), roll_y(Q, {0, 1, 0, -R * sin(th)});
  const Connection connection = Connection::from_constraints(Q, {roll_x + roll_y, roll_y}, {0, 1});
  for (int alpha = 0; alpha < 2; ++alpha) {
    CHECK(proved(is_zero(roll_x(connection.horizontal(alpha)))));
    CHECK(proved(is_zero(roll_y(connection.horizontal(alpha)))));
  }
  const Curvature B = curvature(connection);  // base (θ, φ): [X_θ, X_φ] = −R sin θ ∂_x + R cos θ ∂_y
  CHECK(proved(is_zero(B(0, 0, 1) + R * sin(th))));
  CHECK(proved(is_zero(B(1, 0, 1) - R * cos(th))));
  CHECK(refuted(is_zero(B(0, 0, 1) - R * sin(th))));
}

TEST_CASE("growth vectors (D.4)") {
  using Ranks = std::vector<int>;
  const auto contact =
      Distribution::annihilated_by(chart({x, y, z}), {OneForm(chart({x, y, z}), {-y, 0, 1})});
  CHECK(growth_vector(contact) == Ranks{2, 3});
  CHECK(proved(is_bracket_generating(contact)));
  const Space R3 = chart({x, y, z});
  const Distribution closed =
      Distribution::annihilated_by(R3, {OneForm(R3, {y * z, x * z, x * y})});  // the mutant
  CHECK(growth_vector(closed) == Ranks{2});
  CHECK(refuted(is_bracket_generating(closed)));
  CHECK(holonomic_dimension(closed) == 1);

  const Space R4 = chart({x, y, z, w});
  const Distribution engel =
      Distribution::annihilated_by(R4, {OneForm(R4, {-z, 1, 0, 0}), OneForm(R4, {-w, 0, 1, 0})});
  CHECK(growth_vector(engel) == Ranks{2, 3, 4});
  CHECK(derived_flag(engel) == Ranks{2, 3, 4});
  const Distribution half =
      Distribution::annihilated_by(R4, {OneForm(R4, {-z, 1, 0, 0}), OneForm(R4, {0, 0, 0, 1})});
  CHECK(growth_vector(half) == Ranks{2, 3});
  CHECK(holonomic_dimension(half) == 1);

  CHECK(growth_vector(ball(false)) == Ranks{3, 5});
  CHECK(growth_vector(ball(true)) == Ranks{2, 3, 5});
}

TEST_CASE("growth of cars with trailers: generic, and where the last trailers stand at a right angle") {
  using Ranks = std::vector<int>;
  std::vector<Symbol> phi;
  CHECK(growth_vector(car_with_trailers(0, phi)) == Ranks{2, 3});
  CHECK(growth_vector(car_with_trailers(1, phi)) == Ranks{2, 3, 4});
  const Distribution two = car_with_trailers(2, phi);
  CHECK(growth_vector(two) == Ranks{2, 3, 4, 5});
  CHECK(growth_vector_at(two, {}).ranks == Ranks{2, 3, 4, 5});
  CHECK(growth_vector_at(two, {{phi[1], pi() / 2}}).ranks == Ranks{2, 3, 4, 5});
  CHECK(growth_vector_at(two, {{phi[0], pi() / 2}}).ranks == Ranks{2, 3, 4, 4, 5});
  CHECK(growth_vector_at(two, {{phi[0], pi() / 3}}).ranks == Ranks{2, 3, 4, 5});
  CHECK(derived_flag(two) == Ranks{2, 3, 4, 5});
}

TEST_CASE("the derived flag can grow faster than the growth vector (D.5)") {
  // A nilpotent algebra generated by A, B, C in which [[A, B], [A, C]] is no combination of brackets of length three.
  const std::vector<std::string> basis{"A", "B", "C", "P", "Q", "V", "R", "S"};
  StructureCoefficients c(8);
  c.set(0, 1, 3, 1);   // [A, B] = P
  c.set(0, 2, 4, 1);   // [A, C] = Q
  c.set(1, 2, 5, 1);   // [B, C] = V
  c.set(1, 4, 6, 1);   // [B, Q] = R
  c.set(2, 3, 6, -1);  // [C, P] = −R
  c.set(0, 5, 6, 2);   // [A, V] = 2R
  c.set(0, 6, 7, 1);   // [A, R] = S
  c.set(3, 4, 7, 1);   // [P, Q] = S
  const Space g({algebra_factor("g", LieAlgebra(basis, c))});
  const auto D =
      Distribution::spanned_by(g, {VectorField::leg(g, 0), VectorField::leg(g, 1), VectorField::leg(g, 2)});
  CHECK(growth_vector(D) == std::vector{3, 6, 7, 8});
  CHECK(derived_flag(D) == std::vector{3, 6, 8});
}

TEST_CASE("integrals are constant along the distribution; along another one they are not") {
  const Expr th = symbol("th"), pr = symbol("pr"), pl = symbol("pl"), r = symbol("r"), b = symbol("b");
  const Space Q = chart({x, y, th, pr, pl});
  const Expr half = Expr(Rational(1, 2));
  const Distribution drive = Distribution::annihilated_by(
      Q, {OneForm(Q, {1, 0, 0, -half * r * cos(th), -half * r * cos(th)}),
          OneForm(Q, {0, 1, 0, -half * r * sin(th), -half * r * sin(th)}), OneForm(Q, {0, 0, 2 * b, -r, r})});
  CHECK(holonomic_dimension(drive) == 1);
  const std::vector<Expr> found = integrals(drive);
  REQUIRE(found.size() == 1);
  for (const VectorField& X : drive.fields()) CHECK(proved(is_zero(X(found[0]))));
  CHECK(refuted(is_zero(VectorField::leg(Q, 2)(found[0]))));
}
