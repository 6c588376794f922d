// The Cartan form on the constraint: Mestdag's Propositions 6 to 9 on random systems.
#include <doctest/doctest.h>

#include <rattleback/motion/equations/reactions.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/symmetry/cartan.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>

#include "../forms.hpp"
#include "random_systems.hpp"

using namespace rattleback;

namespace {

/// Functions on D with a bit of everything.
std::vector<Expr> functions_on(const Admissible& D) {
  const Expr q = D.space.functions()[0], last = D.space.functions().back(), z = D.speeds[0];
  return {q * z, pow(z, 2) + last, q * last + z * D.speeds.back()};
}

}  // namespace

TEST_CASE("Z_f(E) is the rate of f along the motion of Lagrange and d'Alembert (Z.3); ME-cartan, ME-prop6") {
  RandomSystems random(3);
  for (const System& s : {random.voronets(2, 1), random.voronets(1, 2),
                          random.chaplygin(2, Space({special_euclidean_2("x", "y", "th")}))}) {
    System system = s;
    system.forces.assign(static_cast<std::size_t>(s.space.dimension()), Expr(0));
    const Admissible D = admissible_velocities(system);
    const CartanForm cartan = cartan_form(system, D);
    const EquationsOfMotion hamel = hamel_equations(system);
    const VectorField Gamma = motion(cartan);
    const SymbolMap rates = motion_of(system, hamel);
    for (const Expr f : functions_on(D)) {
      const VectorField Z = cartan_field(cartan, f);
      const Expr rate = derivative_along(f, rates);
      CHECK(all_vanish({Z(cartan.energy) - rate, Gamma(f) - rate}));
      CHECK(some_do_not_vanish({Z(cartan.energy) + rate}));  // the mutant: the other sign
    }
    CHECK(all_vanish({Gamma(cartan.energy)}));
  }
}

TEST_CASE("Z_1(f_2) = -Z_2(f_1); ME-prop7") {
  RandomSystems random(8);
  const System system = random.voronets(2, 1);
  const Admissible D = admissible_velocities(system);
  const CartanForm cartan = cartan_form(system, D);
  const std::vector<Expr> f = functions_on(D);
  const VectorField Z1 = cartan_field(cartan, f[0]), Z2 = cartan_field(cartan, f[1]);
  CHECK(all_vanish({Z1(f[1]) + Z2(f[0])}));
  CHECK(some_do_not_vanish({Z1(f[1]) - Z2(f[0])}));
}

TEST_CASE("a symmetry in D gives an integral, and its field is Z_f up to sign; ME-prop7") {
  const System system = load_model("snakeboard");
  const Admissible D = admissible_velocities(system);
  const CartanForm cartan = cartan_form(system, D);
  int symmetries = 0;
  for (const HorizontalSymmetry& h : horizontal_symmetries(system)) {
    if (!proved(is_symmetry(system, h.field))) continue;  // ∂/∂φ leaves L as it is, but not D
    ++symmetries;
    const Expr f = substitute(h.momentum, D.substitution());
    const VectorField Z = lifted_to(cartan, D, h.field), Zf = cartan_field(cartan, -f);
    CHECK(all_vanish((Z - Zf).coefficients()));
    CHECK(all_vanish({Zf(cartan.energy)}));
  }
  CHECK(symmetries == 1);
}

TEST_CASE("momentum of any field: its rate is Z^C L and the work of the reaction; ME-prop8") {
  RandomSystems random(14);
  System system = random.voronets(2, 1);
  system.forces.assign(3, Expr(0));
  const Admissible D = admissible_velocities(system);
  const CartanForm cartan = cartan_form(system, D);
  const VectorField Gamma = motion(cartan);
  const EquationsOfMotion hamel = hamel_equations(system);
  const Matrix E =
      Matrix::column(lagrange_residuals(system, system.lagrangian, hamel));  // the reaction, leg by leg
  const Expr q = system.space.functions()[0];
  for (const VectorField& Z :
       {VectorField(system.space, {Expr(1), q, Expr(0)}), VectorField(system.space, {q, Expr(0), pow(q, 2)}),
        D.leg(0), VectorField::leg(system.space, 2)}) {
    const Expr p = substitute(momentum(system, Z), D.substitution());
    const Expr lift = substitute(complete_lift(Z, system.lagrangian), D.substitution());
    const Expr work = dot(E, Matrix::column(Z.coefficients()));
    CHECK(all_vanish({Gamma(p) - lift - work}));
  }
  CHECK(all_vanish({dot(E, D.psi.column(0))}));  // the reaction does not work on D
  CHECK(some_do_not_vanish({E[2]}));
}

TEST_CASE("for Z tangent to D the reaction corrects Z(E); ME-prop9") {
  RandomSystems random(21);
  System system = random.chaplygin(2, RandomSystems::plane("s", 1));
  system.forces.assign(3, Expr(0));
  const Admissible D = admissible_velocities(system);
  const CartanForm cartan = cartan_form(system, D);
  const VectorField Gamma = motion(cartan);
  const VectorField ds = VectorField::leg(system.space, 2);  // a symmetry across D
  const VectorField Z = lifted_to(cartan, D, ds);
  const Expr f =
      -substitute(momentum(system, ds), D.substitution());  // Z ⌟ ω = df, since Z leaves θ as it is
  for (const VectorField& U : cartan.legs) CHECK(all_vanish({cartan.omega({Z, U}) - U(f)}));
  CHECK(all_vanish({Gamma(f) - Z(cartan.energy) + reaction_on(cartan, Gamma, Z)}));
  CHECK(some_do_not_vanish({Gamma(f) - Z(cartan.energy)}));  // without ε it is wrong
  for (const VectorField& U : cartan.legs) CHECK(all_vanish({reaction_on(cartan, Gamma, U)}));
}

TEST_CASE(
    "the lift of a symmetry moves the speeds too: L of theta does not change, and Z leaves the motion "
    "alone") {
  // Turns about the axis leave L and the screw constraint alone and turn the speeds x', y'.
  const System system = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - (x^2 + y^2)^2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
screw = "z' = x*y' - y*x'"
)toml",
                                   "screw.toml");
  const Admissible D = admissible_velocities(system);
  const CartanForm cartan = cartan_form(system, D);
  const auto q = system.space.functions();
  const VectorField turn(system.space, {-Expr(q[1]), Expr(q[0]), Expr(0)});
  const VectorField Z = lifted_to(cartan, D, turn), Gamma = motion(cartan);
  CHECK(all_vanish({Z(cartan.energy)}));
  CHECK(all_vanish(bracket(Z, Gamma).coefficients()));
  const Expr f = -substitute(momentum(system, turn), D.substitution());
  for (const VectorField& U : cartan.legs) CHECK(all_vanish({cartan.omega({Z, U}) - U(f)}));
  CHECK(all_vanish({Gamma(f) + reaction_on(cartan, Gamma, Z)}));  // ME-prop9 with Z(E) = 0
  VectorField flat = Z;  // the mutant: a lift that forgets the speeds
  for (int a = 0; a < D.rank(); ++a) flat[system.space.dimension() + a] = 0;
  CHECK(some_do_not_vanish({flat(cartan.energy)}));
}
