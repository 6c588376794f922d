// Mestdag's slides, Bloch, Marsden and Zenkov's article and Fernandez' thesis on symmetry, momentum and reduction.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/geometry/lifts.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/lagrange_poincare.hpp>
#include <rattleback/motion/forms/routh.hpp>
#include <rattleback/motion/forms/suslov.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

std::vector<VectorField> generators_of(const System& s) {
  std::vector<VectorField> eta;
  for (const Symmetry& group : s.symmetries) {
    for (const Generator& g : group.generators) eta.push_back(g.field);
  }
  return eta;
}

}  // namespace

TEST_CASE(
    "ME-fundamental, ME-A, ME-adg: a left action has -C, invariant fields +C; they are Ad_g of each other") {
  const Factor B = special_orthogonal_3("B");
  const Space Q({B});
  const std::vector<VectorField> left = left_translations(Q, B), right = right_translations(Q, B);
  CHECK(all_vanish((bracket(left[0], left[1]) + left[2]).coefficients()));
  CHECK(all_vanish((bracket(right[0], right[1]) - right[2]).coefficients()));
  // Ê_a = A_a^b Ẽ_b with A = Ad_g: for SO(3) the entries of B itself (the print has ad of g⁻¹).
  const Matrix b = B.rotation();
  for (int a = 0; a < 3; ++a) {
    VectorField ad(Q), wrong(Q);
    for (int k = 0; k < 3; ++k) {
      ad = ad + b(k, a) * left[static_cast<std::size_t>(k)];
      wrong = wrong + b(a, k) * left[static_cast<std::size_t>(k)];
    }
    CHECK(all_vanish((ad - right[static_cast<std::size_t>(a)]).coefficients()));
    CHECK(some_do_not_vanish((wrong - right[static_cast<std::size_t>(a)]).coefficients()));
    for (int d = 0; d < 3; ++d) {  // Ẽ_a(A_b^c) = C_ad^c A_b^d
      for (int c = 0; c < 3; ++c) {
        Expr twist = 0;
        for (int e = 0; e < 3; ++e) twist += so3().c(a, e, c) * b(e, d);
        CHECK(all_vanish({left[static_cast<std::size_t>(a)](b(c, d)) - twist}));
      }
    }
  }
}

TEST_CASE("ME-prop1, ME-prop3, GN-8-equivariance: an invariant system has an invariant motion") {
  for (const char* name : {"chaplygin-sleigh", "snakeboard", "cart-pendulum"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const std::vector<VectorField> eta = generators_of(s);
    const auto D = invariant_velocities(s, eta);
    REQUIRE(D);
    const EquationsOfMotion e = reduced_equations(s);
    for (const Expr rate : e.speed_rates)
      CHECK(is_invariant(rate, eta));  // [η^C, Γ] = 0 in an invariant frame
  }
}

TEST_CASE(
    "ME-brackets-def, ME-EaC, ME-LP-ver: vertical equation p' = (Ups v - C w) p; the Euler top gives p' = p "
    "x Om") {
  const System top = load_model("euler-top");
  const Reduction r = reduction(top);
  CHECK(r.kind == ReducedKind::euler_poincare);
  const std::vector<Expr> rates = momentum_rates(top, r);
  const auto p = [&](int i) { return r.momenta[static_cast<std::size_t>(i)]; };
  const auto w = [&](int i) { return Expr(r.frame.speeds[static_cast<std::size_t>(i)]); };
  CHECK(all_vanish({rates[0] - (p(1) * w(2) - p(2) * w(1)), rates[1] - (p(2) * w(0) - p(0) * w(2)),
                    rates[2] - (p(0) * w(1) - p(1) * w(0))}));
  CHECK(some_do_not_vanish({rates[0] + (p(1) * w(2) - p(2) * w(1))}));  // the printed +C
}

TEST_CASE("ME-lift-brackets, ME-lift-actions: [X^C, Y^C] = [X, Y]^C, [X^C, Y^V] = [X, Y]^V, [X^V, Y^V] = 0") {
  const Space Q({special_euclidean_2("x", "y", "th"), line("r")});
  const Space TQ = tangent_bundle(Q);
  const Expr r = Q.functions()[3];
  const VectorField X(Q, {Expr(1), r, Expr(0), Expr(Q.functions()[0])}), Y(Q, {r * r, Expr(0), Expr(2), r});
  const VectorField XC = complete_lift(TQ, X), YC = complete_lift(TQ, Y), XV = vertical_lift(TQ, X),
                    YV = vertical_lift(TQ, Y);
  CHECK(all_vanish((bracket(XC, YC) - complete_lift(TQ, bracket(X, Y))).coefficients()));
  CHECK(all_vanish((bracket(XC, YV) - vertical_lift(TQ, bracket(X, Y))).coefficients()));
  CHECK(all_vanish(bracket(XV, YV).coefficients()));
}

TEST_CASE("ME-gD, BMZ-def2, ME-atiyah: g^D is the part of the orbits in D; ranks add up") {
  const auto rank_of = [](const char* name) {
    const System s = load_model(name);
    return momentum_bundle(s, generators_of(s)).rank();
  };
  CHECK(rank_of("chaplygin-sleigh") == 2);
  CHECK(rank_of("chaplygin-sphere") == 1);
  CHECK(rank_of("veselova") == 0);
  CHECK(rank_of("rattleback") == 1);
  for (const char* name : {"snakeboard", "chaplygin-sphere", "veselova"}) {
    const Reduction r = reduction(load_model(name));
    CHECK(r.frame.rho == rank_of(name));
    CHECK(r.frame.rho + r.frame.kappa == r.D.rank());
  }
}

TEST_CASE("BMZ-5, BMZ-thm3, BMZ-snakeboard: the snakeboard's momentum changes when the wheels are steered") {
  System s = load_model("snakeboard");
  s.symmetries.resize(1);  // SE(2) alone
  const Admissible D = admissible_velocities(s);
  const std::vector<MomentumEquation> J = momentum_equations(s, D, momentum_bundle(s, generators_of(s)));
  REQUIRE(J.size() == 1);
  CHECK(refuted(is_zero(J[0].rate)));
  const EquationsOfMotion e = hamel_equations(s);
  CHECK(all_vanish({derivative_along(J[0].momentum, motion_of(s, e)) - J[0].rate}));
}

TEST_CASE("BMZ-cor4: horizontal symmetries have conserved momenta") {
  for (const char* name : {"snakeboard", "chaplygin-sphere", "vertical-disk", "iliyev"}) {
    const System s = load_model(name);
    for (const HorizontalSymmetry& h : horizontal_symmetries(s)) CHECK(proved(is_conserved(s, h.momentum)));
  }
}

TEST_CASE("BMZ-rattle-momentum: the rattleback's momentum about the vertical is not conserved") {
  const System s = load_model("rattleback");
  const MomentumBundle bundle = momentum_bundle(s, generators_of(s));
  REQUIRE(bundle.rank() == 1);
  CHECK(refuted(is_zero(momentum_equations(s, admissible_velocities(s), bundle)[0].rate)));
}

TEST_CASE(
    "BMZ-12, BMZ-12-index, FE-2.10: p_b' = C_ab^c p_c Om^a, and {mu_b, mu_c} = -C_bc^a mu_a gives the same") {
  const System s = load_model("euler-top");
  const EulerPoincareSuslov e = euler_poincare_suslov(s);
  const std::vector<Expr> xi(e.system.space.velocities().begin(), e.system.space.velocities().end());
  const std::vector<Expr> p = gradient(e.lagrangian, e.system.space.velocities());
  const std::vector<Expr> torque = coadjoint_torque(e.algebra, xi, p);
  for (int b = 0; b < 3; ++b) {
    Expr lie_poisson = 0;  // {μ_b, H} = −C_bc^a μ_a ∂H/∂μ_c, ∂H/∂μ_c = ξ^c
    for (int c = 0; c < 3; ++c) {
      for (int a = 0; a < 3; ++a)
        lie_poisson -=
            e.algebra.c(b, c, a) * p[static_cast<std::size_t>(a)] * xi[static_cast<std::size_t>(c)];
    }
    CHECK(all_vanish({torque[static_cast<std::size_t>(b)] - lie_poisson}));
  }
}

TEST_CASE("BMZ-suslov-C: so(3) with C_12^3 = C_23^1 = C_31^2 = 1 gives the Suslov problem") {
  const System algebra = load_model("suslov-algebra"), group = load_model("suslov");
  const EquationsOfMotion a = suslov_equations(algebra), g = suslov_equations(group);
  CHECK(has_rate(algebra, a, "w1", "-(I13*w1 + I23*w2)*w2/I11"));
  CHECK(has_rate(group, g, "w1", "-(I13*w1 + I23*w2)*w2/I11"));
}

TEST_CASE("BMZ-19-a0: without offset the body momentum of the sleigh is conserved, the spatial one is not") {
  const System s = with_values(load_model("chaplygin-sleigh"), {{"a", "0"}});
  const EquationsOfMotion e = suslov_equations(s);
  CHECK(has_rate(s, e, "u", "0"));
  CHECK(has_rate(s, e, "omega", "0"));
  CHECK(refuted(is_conserved(s, momentum(s, VectorField::leg(s.space, 0)))));
}

TEST_CASE(
    "ME-routh, ME-routh-reduced: nonabelian Routh, p_a = E_a^V(L) conserved; h_mu of so(3) has dimension "
    "one") {
  const System s = load_model("euler-top");
  const Routh r = routh(s);
  CHECK(r.cyclic() == 3);
  CHECK(r.algebra == "so(3)");
  CHECK(r.isotropy == 1);
  for (const Expr mu : r.definitions) CHECK(proved(is_conserved(s, mu)));
}

TEST_CASE(
    "ME-horizontal-H, ME-Nmu: a fixed subalgebra that spans D and the orbits' intersection is an ideal") {
  const System s = load_model("iliyev");
  const SymmetryAlgebra g = found_symmetries(s);
  const std::vector<HorizontalSymmetry> h = horizontal_symmetries(s);
  REQUIRE(!h.empty());
  for (const Generator& x : g.generators) {
    for (const HorizontalSymmetry& y : h) {
      const VectorField Z = bracket(x.field, y.field);  // [g, h] stays horizontal, so in h
      for (const Constraint& c : s.constraints)
        CHECK(all_vanish({dot(Matrix::column(gradient(c.expression, s.space.velocities())),
                              Matrix::column(Z.coefficients()))}));
    }
  }
}

TEST_CASE("FE-6.22: R_c = [l_c - mu v] has the momenta of l_c; snakeboard") {
  const System s = load_model("snakeboard");
  const Routh r = routh(s);
  const Expr ell = substitute(s.lagrangian, r.D.substitution());
  SymbolMap in_mu;
  for (int i = 0; i < r.cyclic(); ++i)
    in_mu.emplace(r.D.speeds[r.free + i], r.eliminated[static_cast<std::size_t>(i)]);
  const Symbol w = r.D.speeds[0];
  CHECK(all_vanish({derivative(r.routhian, w) - substitute(derivative(ell, w), in_mu)}));
}

TEST_CASE(
    "FE-6.22-cyc: invariance and Lambda_{a'i} = 0 do not make p_i constant (the carriage); Lambda_ib r'^b = "
    "0 does") {
  const System s = load_model("two-wheeled-carriage");
  const Chaplygin c = chaplygin_reduction(s);
  CHECK(refuted(is_zero(c.lambda(0, 1))));  // both base angles are cyclic in l_c
  for (const Symbol q : s.space.functions()) CHECK(all_vanish({derivative(c.form.lagrangian, q)}));
  CHECK_THROWS_AS(routh_equations(s), Error);
  const System sphere = load_model("chaplygin-sphere-euler");
  const VectorField phi = VectorField::leg(sphere.space, 4);
  CHECK(sphere.space.coordinate(4)->name() == "phi");
  CHECK(proved(is_conserved(sphere, momentum(sphere, phi))));
}
