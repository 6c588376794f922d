// Mestdag's slides: lifts, Hamel's equations and Lagrange–Poincaré reduction in adapted frames, constrained fields.
#include <doctest/doctest.h>

#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/geometry/lifts.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/symmetry/body_axes.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/reduction.hpp>
#include <rattleback/motion/symmetry/symmetry.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

#include "../forms.hpp"
#include "../laws/random_systems.hpp"

using namespace rattleback;

namespace {

std::vector<Symbol> quasi_velocities(int n) {
  std::vector<Symbol> w;
  for (int i = 0; i < n; ++i)
    w.push_back(Symbol::make("w" + std::to_string(i + 1), {.role = Role::velocity, .order = i}));
  return w;
}

System unconstrained(System s) {
  s.constraints.clear();
  s.forces.clear();
  return s;
}

/// Γ = v^i X_i + v̇^i ∂/∂v^i on TQ.
VectorField second_order_field(const System& s, const Space& TQ) {
  const Matrix a = constrained_motion(s).accelerations;
  std::vector<Expr> x(s.space.velocities().begin(), s.space.velocities().end());
  x.insert(x.end(), a.entries().begin(), a.entries().end());
  return {TQ, x};
}

/// Two shape variables and SE(2), an invariant Lagrangian, in the frame {X_α = ∂_α − A_α^a(r) Ê_a, Ê_a}.
struct LagrangePoincare {
  System original, adapted;
  Frame frame;
  StructureCoefficients c;
  std::vector<Symbol> speeds;

  static Frame frame_of(const System& s) {
    const Expr r1 = s.space.functions()[0], r2 = s.space.functions()[1];
    const auto leg = [&](int i) { return VectorField::leg(s.space, i); };
    return Frame({leg(0) - r2 * leg(2) - (r1 * r2) * leg(4), leg(1) - r1 * r1 * leg(3) - r2 * leg(4), leg(2),
                  leg(3), leg(4)});
  }
  explicit LagrangePoincare(const System& s)
      : original(s),
        adapted(in_frame(s, frame_of(s), quasi_velocities(5))),
        frame(frame_of(s)),
        c(structure_coefficients(frame)),
        speeds(quasi_velocities(5)) {}

  Expr w(int i) const { return speeds[static_cast<std::size_t>(i)]; }
};

LagrangePoincare lagrange_poincare() {
  RandomSystems random(5);
  return LagrangePoincare(unconstrained(random.chaplygin(2, Space({special_euclidean_2("x", "y", "th")}))));
}

}  // namespace

TEST_CASE(
    "ME-EL, ME-EL-lifts: M q'' = dL/dq - (d2L/dq'dq) q', which is Gamma(Z^V L) = Z^C L for every frame") {
  RandomSystems random(2);
  const System s = unconstrained(random.voronets(2, 1));
  const LagrangeEquations e = lagrange_equations(s);
  const auto v = s.space.velocities();
  const std::vector<Expr> p = gradient(s.lagrangian, v);
  for (int i = 0; i < 3; ++i) {
    Expr right = s.space.derivative(i, s.lagrangian);
    for (int j = 0; j < 3; ++j)
      right -= s.space.derivative(j, p[static_cast<std::size_t>(i)]) * v[static_cast<std::size_t>(j)];
    CHECK(all_vanish({e.force[i] - right}));
  }
  const Space TQ = tangent_bundle(s.space);
  const VectorField Gamma = second_order_field(s, TQ);
  const Expr q = s.space.functions()[0], last = s.space.functions()[2];
  for (const VectorField& Z :
       {VectorField(s.space, {Expr(1), q, Expr(0)}), VectorField(s.space, {last, Expr(2), q * q}),
        VectorField(s.space, {Expr(0), q * last, Expr(1)})}) {
    CHECK(all_vanish({Gamma(vertical_lift(TQ, Z)(s.lagrangian)) - complete_lift(TQ, Z)(s.lagrangian)}));
    CHECK(
        some_do_not_vanish({Gamma(vertical_lift(TQ, Z)(s.lagrangian)) + complete_lift(TQ, Z)(s.lagrangian)}));
  }
}

TEST_CASE(
    "ME-lifts: Z^C = Z d_q + (dZ q') d_q', Z^V = Z d_q'; they frame TQ; the flow of Z^C is the tangent "
    "flow") {
  const Space Q({line("x"), line("y"), line("th")});
  const Space TQ = tangent_bundle(Q);
  const Expr th = Q.functions()[2], thdot = Q.velocities()[2];
  const VectorField Z(Q, {cos(th), sin(th), Expr(0)});
  const VectorField ZC = complete_lift(TQ, Z), ZV = vertical_lift(TQ, Z);
  CHECK(all_vanish(
      (ZC - VectorField(TQ, {cos(th), sin(th), Expr(0), -sin(th) * thdot, cos(th) * thdot, Expr(0)}))
          .coefficients()));
  CHECK(all_vanish(
      (ZV - VectorField(TQ, {Expr(0), Expr(0), Expr(0), cos(th), sin(th), Expr(0)})).coefficients()));
  const std::vector<VectorField> frame{Z, VectorField(Q, {-sin(th), cos(th), Expr(0)}),
                                       VectorField(Q, {Expr(0), th, Expr(1)})};
  std::vector<VectorField> lifted;
  for (const VectorField& X : frame) {
    lifted.push_back(complete_lift(TQ, X));
    lifted.push_back(vertical_lift(TQ, X));
  }
  CHECK(rank(as_columns(TQ, lifted)) == 6);
  // φ_t(x, y, θ) = (x + t cos θ, y + t sin θ, θ) and its tangent.
  const Symbol t = Symbol::make("t", {.role = Role::time});
  const std::vector<Expr> flow{Expr(Q.functions()[0]) + t * cos(th), Expr(Q.functions()[1]) + t * sin(th),
                               th};
  std::vector<Expr> tangent;
  for (const Expr f : flow) tangent.push_back(Q.rate(f) - derivative(f, t));
  SymbolMap there;
  for (std::size_t i = 0; i < 3; ++i) {
    there.emplace(Q.functions()[i], flow[i]);
    there.emplace(Q.velocities()[i], tangent[i]);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(all_vanish({derivative(flow[i], t) - substitute(ZC[static_cast<int>(i)], there)}));
    CHECK(all_vanish({derivative(tangent[i], t) - substitute(ZC[static_cast<int>(i) + 3], there)}));
  }
}

TEST_CASE(
    "ME-hamel: Z_i^C = Z_i - R_ik^j v^k d_v^j, Z_i^V = d_v^i in quasi-velocities, and Hamel's equations") {
  RandomSystems random(4);
  const System s = unconstrained(random.voronets(2, 1));
  const Expr q = s.space.functions()[0], last = s.space.functions()[2];
  const Frame Z({VectorField(s.space, {Expr(1), q, Expr(0)}), VectorField(s.space, {last, Expr(2), Expr(0)}),
                 VectorField(s.space, {Expr(0), q * last, Expr(1)})});
  const StructureCoefficients R = structure_coefficients(Z);
  const std::vector<Symbol> v = quasi_velocities(3);
  const System turned = in_frame(s, Z, v);
  const Space TQ = tangent_bundle(turned.space);
  const VectorField Gamma = second_order_field(turned, TQ);
  for (int i = 0; i < 3; ++i) {
    const VectorField leg = VectorField::leg(turned.space, i);
    const VectorField lifted = complete_lift(TQ, leg);
    Expr hamel =
        Gamma(derivative(turned.lagrangian, v[static_cast<std::size_t>(i)])) - Z[i](turned.lagrangian);
    for (int j = 0; j < 3; ++j) {
      Expr component = 0;
      for (int k = 0; k < 3; ++k) component -= R(i, k, j) * v[static_cast<std::size_t>(k)];
      CHECK(all_vanish({lifted[3 + j] - component, lifted[j] - Expr(i == j ? 1 : 0)}));
      hamel -= component * derivative(turned.lagrangian, v[static_cast<std::size_t>(j)]);
    }
    CHECK(all_vanish({hamel, vertical_lift(TQ, leg)(turned.lagrangian) -
                                 derivative(turned.lagrangian, v[static_cast<std::size_t>(i)])}));
  }
}

TEST_CASE("ME-reduced-vf: an invariant field has invariant components and is a field on Q/G") {
  const Factor group = special_euclidean_2("x", "y", "th");
  const Space Q({line("r"), group});
  const Expr r = Q.functions()[0], x = Q.functions()[1];
  const std::vector<VectorField> eta = left_translations(Q, group);
  const VectorField Z(Q, {r * r, sin(r), Expr(1), r});  // in ∂_r and the left-invariant legs
  CHECK(is_invariant(Z, eta));
  CHECK(is_invariant(Z(r), eta));
  CHECK(proved(are_equal(Z(r), r * r)));  // x' = Z^α(x)
  const VectorField moving(Q, {x, sin(r), Expr(1), r});
  CHECK_FALSE(is_invariant(moving, eta));
  CHECK_FALSE(is_invariant(moving(r), eta));
}

TEST_CASE(
    "ME-XalC, ME-Gamma-red, ME-defrel: reduced lifts X_al^C = d_x - (K v + Ups w)^a d_w^a; the reduced Gamma "
    "is "
    "v d_x + ... and satisfies both relations") {
  const LagrangePoincare lp = lagrange_poincare();
  const Space TQ = tangent_bundle(lp.adapted.space);
  std::vector<VectorField> lifts;
  for (int i = 0; i < 5; ++i) lifts.push_back(complete_lift(TQ, VectorField::leg(lp.adapted.space, i)));
  bool curved = false, printed_differs = false;
  for (int alpha = 0; alpha < 2; ++alpha) {
    for (int a = 2; a < 5; ++a) {
      Expr K = 0, Ups = 0;
      for (int beta = 0; beta < 2; ++beta) K += lp.c(alpha, beta, a) * lp.w(beta);
      for (int b = 2; b < 5; ++b) Ups += lp.c(alpha, b, a) * lp.w(b);
      CHECK(all_vanish({lifts[static_cast<std::size_t>(alpha)](lp.w(a)) + K + Ups}));
      curved = curved || refuted(is_zero(K));
      printed_differs = printed_differs || refuted(is_zero(K + Ups));
    }
    for (int beta = 0; beta < 2; ++beta) {
      CHECK(all_vanish({lifts[static_cast<std::size_t>(alpha)](lp.w(beta))}));
      const Expr x = lp.adapted.space.functions()[static_cast<std::size_t>(beta)];
      CHECK(all_vanish({lifts[static_cast<std::size_t>(alpha)](x) - Expr(alpha == beta ? 1 : 0)}));
    }
  }
  CHECK(curved);
  CHECK(printed_differs);
  // v^α X_α^C + w^a Ê_a^C moves no quasi-velocity: C w w and K v v vanish, the terms with Υ cancel.
  for (int i = 0; i < 5; ++i) {
    Expr sum_of_lifts = 0;
    for (int j = 0; j < 5; ++j) sum_of_lifts += lp.w(j) * lifts[static_cast<std::size_t>(j)](lp.w(i));
    CHECK(all_vanish({sum_of_lifts}));
  }
  const VectorField Gamma = second_order_field(lp.adapted, TQ);
  const Expr l = lp.adapted.lagrangian;
  for (int i = 0; i < 5; ++i) {
    const Expr relation =
        Gamma(derivative(l, lp.speeds[static_cast<std::size_t>(i)])) - lifts[static_cast<std::size_t>(i)](l);
    CHECK(all_vanish({relation}));
  }
}

TEST_CASE(
    "ME-LP-hor, ME-LP-ver, ME-EaC, ME-brackets-def: Lagrange-Poincare's equations have -K - Ups and Ups - C "
    "on their right "
    "sides (printed: +K + Ups and Ups + C)") {
  const LagrangePoincare lp = lagrange_poincare();
  const Space TQ = tangent_bundle(lp.adapted.space);
  const VectorField Gamma = second_order_field(lp.adapted, TQ);
  const Expr l = lp.adapted.lagrangian;
  const auto p = [&](int i) { return derivative(l, lp.speeds[static_cast<std::size_t>(i)]); };
  std::vector<Expr> horizontal, vertical, lifts, defined, printed_horizontal, printed_vertical;
  for (int alpha = 0; alpha < 2; ++alpha) {
    Expr K_and_Ups = 0;  // K^a_αγ v^γ + Υ^a_αb w^b, paired with ∂l/∂w^a
    for (int a = 2; a < 5; ++a) {
      for (int i = 0; i < 5; ++i) K_and_Ups += lp.c(alpha, i, a) * lp.w(i) * p(a);
      for (int beta = 0; beta < 2; ++beta) defined.push_back(lp.c(alpha, a, beta));
    }
    for (int beta = 0; beta < 2; ++beta) defined.push_back(lp.c(0, 1, beta));
    const Expr left =
        Gamma(p(alpha)) - derivative(l, lp.adapted.space.functions()[static_cast<std::size_t>(alpha)]);
    horizontal.push_back(left + K_and_Ups);
    printed_horizontal.push_back(left - K_and_Ups);
  }
  for (int a = 2; a < 5; ++a) {
    const VectorField lift = complete_lift(TQ, VectorField::leg(lp.adapted.space, a));
    Expr Ups = 0, C = 0;
    for (int b = 2; b < 5; ++b) {
      Expr Ups_b = 0, C_b = 0;
      for (int alpha = 0; alpha < 2; ++alpha) Ups_b += lp.c(alpha, a, b) * lp.w(alpha);
      for (int d = 2; d < 5; ++d) C_b += lp.c(a, d, b) * lp.w(d);
      lifts.push_back(lift(lp.w(b)) - (Ups_b - C_b));
      Ups += Ups_b * p(b);
      C += C_b * p(b);
    }
    vertical.push_back(Gamma(p(a)) - (Ups - C));
    printed_vertical.push_back(Gamma(p(a)) - (Ups + C));
  }
  CHECK(all_vanish(horizontal));
  CHECK(all_vanish(vertical));
  CHECK(all_vanish(lifts));
  CHECK(all_vanish(defined));
  CHECK(some_do_not_vanish(printed_horizontal));
  CHECK(some_do_not_vanish(printed_vertical));
}

TEST_CASE("ME-tangent: v in D iff v^a = 0; v^al X_al^C is tangent to D, a single X_al^C need not be") {
  const System s = load_model("chaplygin-sleigh");
  const Admissible D = admissible_velocities(s);
  const Frame e({D.leg(0), D.leg(1), VectorField::leg(s.space, 1)});
  const std::vector<Symbol> v = quasi_velocities(3);
  const System turned = in_frame(s, e, v);
  CHECK(all_vanish({substitute(turned.constraints[0].expression, {{v[2], Expr(0)}})}));
  const Space TQ = tangent_bundle(turned.space);
  const SymbolMap on_D{{v[2], Expr(0)}};
  Expr along = 0;
  for (int alpha = 0; alpha < 2; ++alpha) {
    const Expr rate = complete_lift(TQ, VectorField::leg(turned.space, alpha))(Expr(v[2]));
    CHECK(some_do_not_vanish({substitute(rate, on_D)}));
    along += v[static_cast<std::size_t>(alpha)] * rate;
  }
  CHECK(all_vanish({substitute(along, on_D)}));
}

TEST_CASE(
    "ME-prop2: Gamma is determined by the legs in D, and Gamma(X_a^V L) - X_a^C L are the multipliers") {
  for (const char* name : {"chaplygin-sleigh", "snakeboard", "nonholonomic-particle"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Admissible D = admissible_velocities(s);
    const Expr ell = substitute(s.lagrangian, D.substitution());
    CHECK(rank(jacobian(gradient(ell, D.speeds), D.speeds)) == D.rank());  // regular on D: one Γ
    const EquationsOfMotion hamel = formalism("hamel").derive(s);
    const Matrix E = Matrix::column(lagrange_residuals(s, s.lagrangian, hamel));
    for (int alpha = 0; alpha < D.rank(); ++alpha) CHECK(all_vanish({dot(E, D.psi.column(alpha))}));
    const Reactions reactions = reactions_along(s, hamel);
    for (int i = 0; i < s.space.dimension(); ++i) {  // E_i = λ_a β^a_i
      Expr right = 0;
      for (std::size_t a = 0; a < s.constraints.size(); ++a)
        right += reactions.multipliers[a].value *
                 derivative(s.constraints[a].expression, s.space.velocities()[static_cast<std::size_t>(i)]);
      CHECK(all_vanish({E[i] - right}));
    }
  }
}

TEST_CASE("ME-frame-notation: {E_rho, E_c} span V, and {E_c} complement D") {
  for (const char* name : {"snakeboard", "chaplygin-sphere", "vertical-disk"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    REQUIRE(r.spans);
    CHECK(r.frame.rho + r.frame.c == r.orbit);
    CHECK(r.D.rank() + r.frame.c == s.space.dimension());
    CHECK(rank(as_columns(s.space, r.frame.legs)) == s.space.dimension());
    std::vector<VectorField> vertical;
    for (int m = 0; m < static_cast<int>(r.frame.legs.size()); ++m) {
      if (r.frame.is_vertical(m)) vertical.push_back(r.frame.legs[static_cast<std::size_t>(m)]);
    }
    for (const Generator& g : r.group) vertical.push_back(g.field);
    CHECK(rank(as_columns(s.space, vertical)) == r.orbit);  // the generators add nothing
  }
}

TEST_CASE(
    "ME-two-stage: what H_mu leaves is invariant under G_mu, so the second stage gives the direct "
    "reduction") {
  // The snakeboard: H turns the rotor, G = SE(2) × H, and G_mu = G for every mu.
  const System s = load_model("snakeboard");
  const EquationsOfMotion first = formalism("routh").derive(s), direct = formalism("reduced").derive(s);
  std::vector<VectorField> eta;
  for (const Symmetry& group : s.symmetries) {
    for (const Generator& g : group.generators) eta.push_back(g.field);
  }
  for (const Expr rate : first.speed_rates) CHECK(is_invariant(rate, eta));  // Γ̌_1 under G_mu/H_mu
  CHECK(proved(agreement(s, {first, direct}).motion));
}

TEST_CASE(
    "ME-prop10: d/dt g(Z, c') = K_Z(c', c') + g(Z, II(c', c')) on a surface: two of the three imply the "
    "third") {
  const System s = read_model(R"toml(
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
surface = "2*x*x' + 4*y*y' + 6*z*z' = 0"
)toml",
                              "surface.toml");
  const EquationsOfMotion geodesic = formalism("hamel").derive(s);
  const SymbolMap& psi = geodesic.velocities;
  const Matrix second_form = Matrix::column(accelerations_along(s, geodesic));  // II(c', c') in flat space
  const Space& Q = s.space;
  const Expr x = Q.functions()[0], y = Q.functions()[1], z = Q.functions()[2];
  struct Terms {
    Expr orthogonal, skew, rate;
  };
  const auto terms = [&](const VectorField& Z) {
    const Matrix c =
        substitute(Matrix::column(std::vector<Expr>(Q.velocities().begin(), Q.velocities().end())), psi);
    const Matrix DZ = jacobian(Z.coefficients(), Q.functions());
    return Terms{dot(Matrix::column(Z.coefficients()), second_form), dot(c, DZ * c),
                 derivative_along(dot(Matrix::column(Z.coefficients()), c), motion_of(s, geodesic))};
  };
  for (const VectorField& Z :
       {VectorField(Q, {-y, x, Expr(0)}), VectorField(Q, {x, y, z}), VectorField(Q, {x, 2 * y, 3 * z}),
        VectorField(Q, {Expr(0), Expr(0), Expr(1)})}) {
    const Terms t = terms(Z);
    CHECK(all_vanish({t.rate - t.skew - t.orthogonal}));
  }
  const Terms turn = terms(VectorField(Q, {-y, x, Expr(0)}));  // skew, but not tangent to this ellipsoid
  CHECK(all_vanish({turn.skew}));
  CHECK(some_do_not_vanish({turn.orthogonal}));
  CHECK(some_do_not_vanish({turn.rate}));
  const Terms normal = terms(VectorField(Q, {x, 2 * y, 3 * z}));  // g(Z, c') = 0: constant without the others
  CHECK(all_vanish({normal.rate}));
  CHECK(some_do_not_vanish({normal.skew}));
}
