// García-Naranjo's notes on rigid bodies, symmetry and first integrals (sections 1, 4, 8, 9).
#include <algorithm>

#include <doctest/doctest.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/lagrange_poincare.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/forms/suslov.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

/// A vector of the model by name or formula, on the constraint.
Matrix vector(const System& s, const EquationsOfMotion& e, const std::string& text) {
  return substitute(std::get<Matrix>(parse_value(text, s.scope)), e.velocities);
}

Matrix rate(const System& s, const EquationsOfMotion& e, const Matrix& m) {
  return derivative_along(m, motion_of(s, e));
}

std::vector<Expr> entries(const Matrix& m) { return {m.entries().begin(), m.entries().end()}; }

}  // namespace

TEST_CASE(
    "GN-1.2-suslov, GN-4.1-suslov-lambda, GN-4.3: I Om' = (I Om) x Om + lambda a; <a, Om> is an integral") {
  const System s = load_model("suslov");
  const EquationsOfMotion e = suslov_equations(s);
  CHECK(has_rate(s, e, "w1", "-(I13*w1 + I23*w2)*w2/I11"));
  CHECK(has_rate(s, e, "w2", "(I13*w1 + I23*w2)*w1/I22"));
  const Matrix Om = vector(s, e, "Omega"), I = std::get<Matrix>(parse_value("inertia", s.scope)),
               a = unit_vector(2);
  const Matrix torque = cross(I * Om, Om), inverse_a = inverse(I).x * a;
  const Expr lambda = -dot(torque, inverse_a) / dot(a, inverse_a);
  CHECK(all_vanish(entries(I * rate(s, e, Om) - torque - lambda * a)));
  REQUIRE(e.multipliers.size() == 1);
  CHECK(all_vanish({e.multipliers[0].value - lambda}));
  CHECK(some_do_not_vanish({e.multipliers[0].value + lambda}));
}

TEST_CASE("GN-4.1-energy: E = (I11 Om1^2 + I22 Om2^2)/2 is conserved") {
  const System s = load_model("suslov-algebra");
  const EquationsOfMotion e = suslov_equations(s);
  const auto E = [&](const std::string& text) {
    return derivative_along(formula(s, e, text), motion_of(s, e));
  };
  CHECK(all_vanish({E("(I11*w1^2 + I22*w2^2)/2")}));
  CHECK(some_do_not_vanish({E("(I11*w1^2 + I22*w2^2)/2 + w1")}));
}

TEST_CASE("GN-1.3-veselova, GN-4.4, GN-4.6: I Om' = (I Om) x Om + lambda gamma, gamma' = gamma x Om") {
  const System s = load_model("veselova");
  const EquationsOfMotion e = reduced_equations(s);
  const Matrix Om = vector(s, e, "Omega"), gamma = vector(s, e, "gamma"),
               I = std::get<Matrix>(parse_value("diag(I1, I2, I3)", s.scope));
  const Matrix torque = cross(I * Om, Om), n = inverse(I).x * gamma;
  const Expr lambda = -dot(torque, n) / dot(gamma, n);
  CHECK(all_vanish(entries(I * rate(s, e, Om) - torque - lambda * gamma)));
  CHECK(all_vanish(entries(rate(s, e, gamma) - cross(gamma, Om))));
  CHECK(some_do_not_vanish(entries(rate(s, e, gamma) + cross(gamma, Om))));
  CHECK(all_vanish({dot(gamma, Om)}));
}

TEST_CASE("GN-4.2-gamma, GN-4-hat: gamma is the space axis e3 in the body; B' = B hat(Om)") {
  const System s = load_model("veselova");
  const EquationsOfMotion e = reduced_equations(s);
  const Matrix B = s.space.factors()[0].rotation();
  CHECK(all_vanish(entries(B * vector(s, e, "gamma") - unit_vector(2))));
  CHECK(all_vanish(entries(rate(s, e, B) - B * hat(vector(s, e, "Omega")))));
  CHECK(all_vanish(entries(vector(s, e, "omega") - B * vector(s, e, "Omega"))));
}

TEST_CASE(
    "GN-4-euler, GN-4-frames, GN-4-kinetic: M' = M x Om for the free body, left-invariant but not "
    "right-invariant") {
  const System s = load_model("euler-top");
  const EquationsOfMotion e = suslov_equations(s);
  const Matrix Om = vector(s, e, "Omega"),
               M = std::get<Matrix>(parse_value("diag(I1, I2, I3)", s.scope)) * Om;
  CHECK(all_vanish(entries(rate(s, e, M) - cross(M, Om))));
  CHECK(all_vanish({s.lagrangian - dot(M, Om) / 2}));
  for (const VectorField& X : left_translations(s.space, s.space.factors()[0]))
    CHECK(proved(is_symmetry(s, X)));
  for (const VectorField& X : right_translations(s.space, s.space.factors()[0]))
    CHECK(refuted(is_symmetry(s, X)));
}

TEST_CASE("GN-4.3-K, GN-4.3-Omd, GN-4.3-E, GN-4.9: the Chaplygin top in (gamma, Om)") {
  const System s = load_model("chaplygin-top");
  const EquationsOfMotion e = reduced_equations(s);
  const auto value = [&](const std::string& text) { return vector(s, e, text); };
  const Matrix I = std::get<Matrix>(parse_value("[[I11, 0, I13], [0, I22, I23], [I13, I23, I33]]", s.scope));
  const Expr m = parse("m", s.scope), g = parse("g", s.scope), R = parse("R", s.scope),
             ell = parse("ell", s.scope);
  const Matrix Om = value("Omega"), gamma = value("transpose(B)*e3"),
               rho = -(R * gamma) - ell * unit_vector(2);
  const Matrix rho_dot = rate(s, e, rho), K = I * Om + m * cross(rho, cross(Om, rho));
  const Matrix printed = cross(K, Om) + m * cross(rho_dot, cross(Om, rho)) + m * g * cross(rho, gamma);
  CHECK(all_vanish(entries(rate(s, e, K) - printed)));
  CHECK(some_do_not_vanish(entries(rate(s, e, K) - printed + m * g * cross(rho, gamma))));
  CHECK(all_vanish({derivative_along(dot(K, Om) / 2 + m * g * ell * gamma[2], motion_of(s, e))}));
  // The equations of the speeds see the attitude through gamma alone: the third row of B.
  for (const Expr r : e.speed_rates) {
    for (const Symbol q : symbols_of(r)) CHECK((q.role() != Role::rotation || q.attributes().entry >= 6));
  }
}

TEST_CASE("GN-8-invariance, GN-8-rolling-symmetry: a body on the plane has the symmetry SE(2)") {
  for (const char* name :
       {"chaplygin-top", "rattleback", "chaplygin-sphere", "routh-sphere", "rubber-chaplygin-ball"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const SymmetryAlgebra g = found_symmetries(s);
    CHECK(g.name.starts_with("se(2)"));
    CHECK(proved(is_symmetry(s, FieldRates{{{s.space.functions()[0], Expr(1)}}, {}}.field(s.space))));
  }
}

TEST_CASE("GN-8-sleigh-red, GN-8-LL: sleigh and Suslov are LL; m u' = m a w^2 (printed: alpha for a)") {
  for (const char* name : {"chaplygin-sleigh", "suslov"}) {
    const Reduction r = reduction(load_model(name));
    CHECK(r.kind == ReducedKind::left_invariant);
    CHECK(r.frame.rho == r.D.rank());
    CHECK(r.orbit == 3);
  }
  const System s = load_model("chaplygin-sleigh");
  const EquationsOfMotion e = reduced_equations(s);
  CHECK(has_rate(s, e, "u", "a*omega^2"));
  CHECK(has_rate(s, e, "omega", "-m*a*u*omega/(J + m*a^2)"));
  CHECK_FALSE(has_rate(s, e, "u", "m*a*omega^2"));
}

TEST_CASE("GN-8-veselova-sym, GN-8.2-veselova: Veselova is Chaplygin for SO(2), T_qQ = D_q + T_q Orb") {
  const Reduction r = reduction(load_model("veselova"));
  CHECK(r.kind == ReducedKind::purely_kinematic);
  CHECK(r.orbit == 1);
  CHECK(r.spans);
  CHECK(r.frame.rho == 0);
}

TEST_CASE("GN-8-top-sym: D and the orbits meet in the rotation about the vertical through the contact") {
  const System s = load_model("chaplygin-top");
  const Reduction r = reduction(s);
  CHECK(r.orbit == 3);
  CHECK(r.spans);
  REQUIRE(r.frame.rho == 1);
  const Matrix B = s.space.factors()[2].rotation();
  const VectorField& X = r.frame.legs[0];  // along gamma, up to a function
  const Matrix Om{{X[2]}, {X[3]}, {X[4]}}, gamma{{B(2, 0)}, {B(2, 1)}, {B(2, 2)}};
  CHECK(all_vanish(entries(cross(Om, gamma))));
}

TEST_CASE("GN-8.1-coords, GN-8.1-split: brackets of an invariant frame are functions of the shape") {
  for (const char* name : {"chaplygin-sphere", "snakeboard", "falling-disk"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    std::vector<VectorField> eta;
    for (const Generator& g : r.group) eta.push_back(g.field);
    for (int a = 0; a < r.frame.rank(); ++a) {
      for (int b = 0; b < r.frame.rank(); ++b) {
        for (int m = 0; m < s.space.dimension(); ++m) CHECK(is_invariant(r.c(a, b, m), eta));
      }
    }
    CHECK(is_invariant(r.lagrangian, eta));
    // {s, p_a} = X_a[s] vanishes for the legs along the orbits, of the others it is a function of the shape.
    bool has_shape = false, moves_shape = false;
    for (const Symbol q : s.space.functions()) {
      if (q.role() == Role::rotation || !is_invariant(Expr(q), eta)) continue;
      has_shape = true;
      for (int a = 0; a < r.frame.rank(); ++a) {
        const Expr rate = r.frame.legs[static_cast<std::size_t>(a)](Expr(q));
        if (a < r.frame.rho) CHECK(all_vanish({rate}));
        CHECK(is_invariant(rate, eta));
        moves_shape = moves_shape || refuted(is_zero(rate));
      }
    }
    CHECK(has_shape == moves_shape);
    // h = ½ K^ab p_a p_b + ½ T^AB p_A p_B + U: of Y_A − (K⁻¹)^ab ⟨Y_A, Z_b⟩ Z_a the metric has blocks, functions of the shape.
    const Matrix A = jacobian(gradient(s.lagrangian, s.space.velocities()), s.space.velocities());
    const auto legs = [&](int from, int to) {
      Matrix X(s.space.dimension(), to - from);
      for (int a = from; a < to; ++a) {
        for (int k = 0; k < s.space.dimension(); ++k)
          X(k, a - from) = r.frame.legs[static_cast<std::size_t>(a)][k];
      }
      return X;
    };
    const int rho = r.frame.rho, rank = r.frame.rank();
    if (rho == 0 || rho == rank) continue;
    const Matrix Z = legs(0, rho), Y = legs(rho, rank), K = transpose(Z) * A * Z;
    const Matrix across = Y - Z * (inverse(K).x * (transpose(Z) * A * Y));
    CHECK(all_vanish(entries(transpose(Z) * A * across)));
    for (const Expr g : entries(K)) CHECK(is_invariant(g, eta));
    for (const Expr g : entries(transpose(across) * A * across)) CHECK(is_invariant(g, eta));
  }
}

TEST_CASE("GN-9-pdot: dp/dt = xi^C L + <R, xi>, with the reaction of the constraints") {
  for (const char* name : {"chaplygin-sleigh", "vertical-disk", "planar-pendulum"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const EquationsOfMotion e = multiplier_equations(s);
    const SymbolMap on_D = admissible_velocities(s).substitution();
    std::vector<Expr> with, without;
    for (int i = 0; i < s.space.dimension(); ++i) {
      const VectorField xi = Expr(s.space.functions()[0]) * VectorField::leg(s.space, i);
      const auto named = [&](const Statement& r) { return r.name == s.space.coordinate(i)->name(); };
      const auto R = std::find_if(e.reactions.begin(), e.reactions.end(), named);
      const Expr work = R == e.reactions.end() ? Expr(0) : R->value * Expr(s.space.functions()[0]);
      without.push_back(derivative_along(momentum(s, xi), motion_of(s, e)) - complete_lift(xi, s.lagrangian));
      with.push_back(without.back() - work);
    }
    CHECK(all_vanish(substitute(with, on_D)));
    CHECK(some_do_not_vanish(substitute(without, on_D)));
  }
}

TEST_CASE("GN-9-tlift, GN-9-noether-free: dp/dt = xi^C L, and what is invariant and free is conserved") {
  const System s = load_model("cart-pendulum");
  const VectorField dx = VectorField::leg(s.space, 0), dtheta = VectorField::leg(s.space, 1);
  CHECK(all_vanish({complete_lift(dx, s.lagrangian)}));
  CHECK(proved(is_conserved(s, momentum(s, dx))));
  const EquationsOfMotion e = hamel_equations(s);
  CHECK(all_vanish(
      {derivative_along(momentum(s, dtheta), motion_of(s, e)) - complete_lift(dtheta, s.lagrangian)}));
  CHECK(refuted(is_conserved(s, momentum(s, dtheta))));
}

TEST_CASE("GN-9.1, GN-9-sphere: horizontal, invariant L: conserved, though D may notice") {
  const System s = load_model("chaplygin-sphere");
  FieldRates turn;
  turn.turns.emplace_back(&s.space.factors()[2], transpose(s.space.factors()[2].rotation()) * unit_vector(2));
  const VectorField xi = turn.field(s.space);  // turns B about e3 and moves nothing else
  const Invariance i = invariance(s, xi);
  CHECK(proved(i.lagrangian));
  CHECK(refuted(i.constraints));
  CHECK(proved(is_conserved(s, momentum(s, xi))));
  const System top = load_model("chaplygin-top");
  FieldRates same;
  same.turns.emplace_back(&top.space.factors()[2],
                          transpose(top.space.factors()[2].rotation()) * unit_vector(2));
  CHECK(refuted(is_conserved(top, momentum(top, same.field(top.space)))));
}

TEST_CASE("GN-9-sleigh: xi = d_theta: xi^C L = -m a u w on D, so p is conserved iff a = 0") {
  const System s = load_model("chaplygin-sleigh");
  const VectorField turn = VectorField::leg(s.space, 2);
  const EquationsOfMotion e = hamel_equations(s);
  CHECK(all_vanish(
      {substitute(complete_lift(turn, s.lagrangian), e.velocities) - formula(s, e, "-m*a*u*omega")}));
  CHECK(refuted(is_conserved(s, momentum(s, turn))));
  const System centred = with_values(s, {{"a", "0"}});
  CHECK(proved(is_conserved(centred, momentum(centred, turn))));
}

TEST_CASE("GN-9.1-criterion, GN-9.1-list: conserved momenta are those of fields in D with xi^C L = 0 on D") {
  CHECK(horizontal_symmetries(load_model("chaplygin-sphere")).size() == 3);
  const System s = load_model("routh-sphere");
  const std::vector<HorizontalSymmetry> found = horizontal_symmetries(s);
  REQUIRE(!found.empty());  // Jellett's integral
  for (const HorizontalSymmetry& h : found) {
    CHECK(proved(h.conserved));
    CHECK(proved(is_conserved(s, h.momentum)));
  }
  CHECK(horizontal_symmetries(load_model("rattleback")).empty());
}
