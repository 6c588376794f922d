// García-Naranjo's notes, sections 1 to 3: fields, flows, distributions, and d'Alembert's principle on all of TQ.
#include <doctest/doctest.h>

#include <rattleback/geometry/flag.hpp>
#include <rattleback/geometry/form.hpp>
#include <rattleback/geometry/integrate.hpp>
#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/multipliers.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

Expr in(const System& system, const std::string& text) { return parse(text, system.scope); }

/// The sleigh's fields X1 = ∂_θ, X2 = cos θ ∂_x + sin θ ∂_y, X3 = −sin θ ∂_x + cos θ ∂_y on (x, y, θ).
struct SleighFields {
  Space Q{{line("x"), line("y"), line("th")}};
  Expr x = Q.functions()[0], y = Q.functions()[1], th = Q.functions()[2];
  std::vector<VectorField> X{VectorField(Q, {Expr(0), Expr(0), Expr(1)}),
                             VectorField(Q, {cos(th), sin(th), Expr(0)}),
                             VectorField(Q, {-sin(th), cos(th), Expr(0)})};
  Symbol t = Symbol::make("t", {.role = Role::time});
  /// φ_t of the fields, as the notes give them.
  std::vector<std::vector<Expr>> flows{
      {x, y, th + t}, {x + t * cos(th), y + t* sin(th), th}, {x - t * sin(th), y + t* cos(th), th}};
  OneForm beta{Q, {-sin(th), cos(th), Expr(0)}};

  SymbolMap at(const std::vector<Expr>& point) const {
    SymbolMap map;
    for (std::size_t i = 0; i < 3; ++i) map.emplace(Q.functions()[i], point[i]);
    return map;
  }
  /// φ_t^*Y = Tφ_{−t} (Y ∘ φ_t).
  VectorField pulled_back(std::size_t flow, const VectorField& Y) const {
    const std::vector<Expr> forth = flows[flow], back = substitute(forth, {{t, -Expr(t)}});
    const Matrix tangent = substitute(jacobian(back, Q.functions()), at(forth));
    const Matrix moved = tangent * Matrix::column(substitute(Y.coefficients(), at(forth)));
    return {Q, {moved.entries().begin(), moved.entries().end()}};
  }
};

/// The constraints of a model as a distribution.
Distribution constraint_distribution(const System& s) {
  std::vector<OneForm> forms;
  for (const Constraint& c : s.constraints) forms.push_back(one_form_of_velocities(s.space, c.expression));
  return Distribution::annihilated_by(s.space, forms);
}

/// df/dt along the field on all of TQ that the multipliers make.
Expr rate_on_TQ(const System& s, const ConstrainedMotion& motion, Expr f) {
  SymbolMap rates = s.space.motion();
  for (int i = 0; i < s.space.dimension(); ++i)
    rates.emplace(s.space.velocities()[static_cast<std::size_t>(i)], motion.accelerations[i]);
  return derivative_along(f, rates);
}

/// Aᵀλ, at every velocity.
Matrix reaction(const ConstrainedMotion& motion) { return transpose(motion.rows.a) * motion.multipliers; }

Matrix metric(const System& s) {
  return jacobian(gradient(s.lagrangian, s.space.velocities()), s.space.velocities());
}

}  // namespace

TEST_CASE(
    "GN-1.4-top-L: the Lagrangian of the top has the potential -m g <u, e3>, which the print leaves out") {
  const System top = load_model("chaplygin-top");
  const Expr height = in(top, "R + ell*B[3,3]"), rise = top.space.rate(height);
  const Expr printed =
      in(top, "1/2*dot(Omega, [[I11, 0, I13], [0, I22, I23], [I13, I23, I33]]*Omega) + m/2*(x'^2 + y'^2)") +
      in(top, "m/2") * rise * rise;
  CHECK(proved(are_equal(top.lagrangian, printed - in(top, "m*g") * height)));
  CHECK(refuted(are_equal(top.lagrangian, printed)));
}

TEST_CASE(
    "GN-1.5-pendulum, GN-3.7-pendulum, GN-3.2-pend-integrals: the pendulum as a constrained particle, with "
    "the tension T") {
  const System s = load_model("planar-pendulum");
  CHECK(proved(are_equal(s.lagrangian, in(s, "m/2*(x'^2 + y'^2) - m*g*y"))));
  const Distribution D = constraint_distribution(s);
  CHECK(proved(is_involutive(D)));
  const std::vector<Expr> leaves = integrals(D);
  REQUIRE(leaves.size() == 1);
  const OneForm df = differential(s.space, leaves[0]);
  CHECK(all_vanish({in(s, "y") * df[0] - in(s, "x") * df[1]}));  // a function of x² + y²

  const ConstrainedMotion motion = constrained_motion(s);  // at all velocities, as the notes write it
  const Expr T = in(s, "(m*(x'^2 + y'^2) - m*g*y)/sqrt(x^2 + y^2)"), r = in(s, "sqrt(x^2 + y^2)"),
             m = in(s, "m");
  CHECK(all_vanish({m * motion.accelerations[0] + T * in(s, "x") / r,
                    m * motion.accelerations[1] + in(s, "m*g") + T * in(s, "y") / r}));
  const Expr phi = in(s, "x*x' + y*y'");
  CHECK(all_vanish({rate_on_TQ(s, motion, phi), rate_on_TQ(s, motion, in(s, "x^2 + y^2")) - 2 * phi}));
  CHECK(some_do_not_vanish({rate_on_TQ(s, motion, in(s, "x^2 + y^2"))}));  // an integral on phi = 0 only
}

TEST_CASE("GN-2-Q-dims: dimensions of the spaces and ranks of D") {
  const auto dimensions = [](const char* name) {
    const System s = load_model(name);
    return std::pair(s.space.dimension(), admissible_velocities(s).rank());
  };
  CHECK(dimensions("chaplygin-sleigh") == std::pair(3, 2));
  CHECK(dimensions("chaplygin-sleigh-se2") == std::pair(3, 2));
  CHECK(dimensions("suslov") == std::pair(3, 2));
  CHECK(dimensions("veselova") == std::pair(3, 2));
  CHECK(dimensions("chaplygin-top") == std::pair(5, 3));
  CHECK(dimensions("planar-pendulum") == std::pair(2, 1));
}

TEST_CASE("GN-2.1-flows, GN-2.2-derivative: d/dt phi_t = X(phi_t), X[f] = <df, X> = d/dt f(phi_t) at 0") {
  const SleighFields s;
  const Expr f = s.x * s.x * s.y + sin(s.th) * s.y;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<Expr>& phi = s.flows[k];
    const std::vector<Expr> there = substitute(s.X[k].coefficients(), s.at(phi));
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(all_vanish({derivative(phi[i], s.t) - there[i]}));
      CHECK(all_vanish({substitute(phi[i], {{s.t, Expr(0)}}) - Expr(s.Q.functions()[i])}));
    }
    const Expr along = substitute(derivative(substitute(f, s.at(phi)), s.t), {{s.t, Expr(0)}});
    CHECK(all_vanish({s.X[k](f) - along, differential(s.Q, f)(s.X[k]) - along}));
    CHECK(some_do_not_vanish({s.X[(k + 1) % 3](f) - along}));
  }
}

TEST_CASE(
    "GN-2.3-pullback, GN-2.3-bracket, GN-ex2.3: [X, Y] = d/dt phi_t^*Y at 0 = DY.X - DX.Y; [X1, X2] = X3") {
  const SleighFields s;
  const VectorField moved = s.pulled_back(0, s.X[1]);
  CHECK(all_vanish({moved[0] - cos(s.th + s.t), moved[1] - sin(s.th + s.t), moved[2]}));
  for (std::size_t k = 0; k < 3; ++k) {
    for (const VectorField& Y : {s.X[0], s.X[1], s.X[2], VectorField(s.Q, {s.y, s.x * s.th, sin(s.th)})}) {
      const VectorField& X = s.X[k];
      const VectorField along = s.pulled_back(k, Y), Z = bracket(X, Y);
      for (int i = 0; i < 3; ++i) {
        const Expr slope = substitute(derivative(along[i], s.t), {{s.t, Expr(0)}});
        CHECK(all_vanish({Z[i] - slope, Z[i] - (X(Y[i]) - Y(X[i]))}));
      }
      const Expr f = s.x * s.y + s.th * s.th * s.x;
      CHECK(all_vanish({Z(f) - (X(Y(f)) - Y(X(f)))}));
    }
  }
  CHECK(all_vanish((bracket(s.X[0], s.X[1]) - s.X[2]).coefficients()));
  CHECK(some_do_not_vanish((bracket(s.X[1], s.X[0]) - s.X[2]).coefficients()));
}

TEST_CASE(
    "GN-ex2.5, GN-ex2.10, GN-2-holonomic-def: ann(cos th dy - sin th dx) = span(X1, X2) is not involutive") {
  const SleighFields s;
  const Distribution D = Distribution::annihilated_by(s.Q, {s.beta});
  CHECK(D.rank() == 2);
  CHECK(proved(contains(D, s.X[0])));
  CHECK(proved(contains(D, s.X[1])));
  CHECK(refuted(contains(D, s.X[2])));
  CHECK(all_vanish({s.beta(bracket(s.X[0], s.X[1])) - 1}));
  CHECK(refuted(is_involutive(D)));
  CHECK(refuted(is_involutive(constraint_distribution(load_model("chaplygin-sleigh")))));
  CHECK(proved(is_involutive(constraint_distribution(load_model("planar-pendulum")))));
}

TEST_CASE("GN-def2.7: an integral manifold has T_qP = D_q at the points of P, not of a neighbourhood") {
  // dz = z y dx: the plane z = 0 is an integral manifold, and the distribution is not integrable off it.
  const Space Q({line("x"), line("y"), line("z")});
  const Expr y = Q.functions()[1], z = Q.functions()[2];
  const OneForm w(Q, {-z * y, Expr(0), Expr(1)});
  const std::vector<Expr> on_P = substitute(w.coefficients(), {{z.symbol(), Expr(0)}});
  CHECK(on_P == differential(Q, z).coefficients());
  CHECK(refuted(is_involutive(Distribution::annihilated_by(Q, {w}))));
}

TEST_CASE(
    "GN-thm2.9-frobenius, GN-2-adapted-coords, GN-ex2.11: involutive iff there are as many integrals as the "
    "corank") {
  const Space Q({line("x"), line("y"), line("z"), line("w")});
  const Expr x = Q.functions()[0], y = Q.functions()[1], z = Q.functions()[2], w = Q.functions()[3];
  // Leaves given by functions: the distribution they annihilate is involutive, by fields and by forms.
  const std::vector<Expr> leaves{z - x * y, w + x * z};
  const Distribution D =
      Distribution::annihilated_by(Q, {differential(Q, leaves[0]), (1 + x * x) * differential(Q, leaves[1])});
  CHECK(proved(is_involutive(D)));
  CHECK(proved(is_involutive_by_forms(D)));
  CHECK(holonomic_dimension(D) == 2);
  const std::vector<Expr> found = integrals(D);
  REQUIRE(found.size() == 2);
  for (const VectorField& X : D.fields()) CHECK(all_vanish({X(found[0]), X(found[1])}));
  // Not involutive: fewer integrals than the corank.
  const Distribution E =
      Distribution::annihilated_by(Q, {OneForm(Q, {-y, Expr(0), Expr(1), Expr(0)}), differential(Q, w)});
  CHECK(refuted(is_involutive(E)));
  CHECK(refuted(is_involutive_by_forms(E)));
  CHECK(holonomic_dimension(E) == 1);
  // Rank one is always integrable.
  for (const VectorField& X :
       {VectorField(Q, {y * z, x, sin(w), Expr(1)}), VectorField(Q, {x, -w * y, z * z, x * y})}) {
    const Distribution L = Distribution::spanned_by(Q, {X});
    CHECK(proved(is_involutive(L)));
    CHECK(holonomic_dimension(L) == 3);
  }
  const Space plane({line("x"), line("y")});
  const Expr u = plane.functions()[0], v = plane.functions()[1];
  const Distribution circles = Distribution::annihilated_by(plane, {OneForm(plane, {u, v})});
  REQUIRE(integrals(circles).size() == 1);
  const OneForm df = differential(plane, integrals(circles)[0]);
  CHECK(all_vanish({v * df[0] - u * df[1]}));
}

TEST_CASE(
    "GN-3-invertible: beta A^-1 beta^T is invertible for a positive metric; an indefinite one may fail") {
  for (const char* name : {"chaplygin-sleigh", "snakeboard", "vertical-disk", "veselova"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Matrix beta = independent_constraints(s).a;
    const Matrix square = beta * solve(metric(s), transpose(beta))->x;
    CHECK(rank(square) == beta.rows());
  }
  const Matrix beta{{Expr(1), Expr(1)}}, indefinite{{Expr(1), Expr(0)}, {Expr(0), Expr(-1)}};
  CHECK(rank(beta * solve(indefinite, transpose(beta))->x) == 0);
}

TEST_CASE("GN-3.5-firstint: the multipliers keep beta(q) q' constant on all of TQ") {
  for (const char* name : {"chaplygin-sleigh", "nonholonomic-particle", "veselova"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const ConstrainedMotion motion = constrained_motion(s);
    for (const Constraint& c : s.constraints) CHECK(all_vanish({rate_on_TQ(s, motion, c.expression)}));
    CHECK(some_do_not_vanish({rate_on_TQ(s, motion, Expr(s.space.velocities()[0]))}));
  }
}

TEST_CASE("GN-rem3.1: another basis of the annihilator changes the reaction off D, not on D") {
  const System s = load_model("chaplygin-sleigh");
  System scaled = s;
  scaled.constraints[0].expression = in(s, "1 + x^2") * s.constraints[0].expression;
  const Matrix difference = reaction(constrained_motion(s)) - reaction(constrained_motion(scaled));
  const std::vector<Expr> entries(difference.entries().begin(), difference.entries().end());
  CHECK(some_do_not_vanish(entries));
  CHECK(all_vanish(substitute(entries, admissible_velocities(s).substitution())));
}

TEST_CASE(
    "GN-rem3.2: quadratic energy and linear constraints make a reversible motion; a gyroscopic term does "
    "not") {
  const auto even = [](const System& s) {
    const ConstrainedMotion motion = constrained_motion(s);
    SymbolMap back;
    for (const Symbol v : s.space.velocities()) back.emplace(v, -Expr(v));
    std::vector<Expr> odd_part;
    for (const Expr a : motion.accelerations.entries()) odd_part.push_back(a - substitute(a, back));
    return is_zero(odd_part);
  };
  for (const char* name : {"chaplygin-sleigh", "nonholonomic-particle", "veselova", "vertical-disk"})
    CHECK(proved(even(load_model(name))));
  CHECK(refuted(even(load_model("magnetic-particle"))));
}

TEST_CASE("GN-rem3.3: a homogeneous rolling ball needs no friction, an inhomogeneous one does") {
  const auto friction = [](const char* name) {
    const System s = load_model(name);
    std::vector<Expr> forces;
    for (const Statement& r : formalism("multipliers").derive(s).multipliers) forces.push_back(r.value);
    return forces;
  };
  CHECK(all_vanish(friction("homogeneous-ball")));
  CHECK(some_do_not_vanish(friction("chaplygin-sphere")));
}

TEST_CASE(
    "GN-3.8-holonomic, GN-ex3.4: on a leaf Lagrange's equations are enough; not for a nonholonomic "
    "constraint") {
  // x = r sin th, y = -r cos th on the leaf r = ell.
  const System angle = read_model(R"toml(
lagrangian = "m/2*ell^2*th'^2 + m*g*ell*cos(th)"
[space]
th = "S1"
[parameters]
m = { positive = true }
g = { positive = true }
ell = { positive = true }
)toml",
                                  "leaf.toml");
  const EquationsOfMotion leaf = formalism("hamel").derive(angle);
  CHECK(proved(are_equal(leaf.speed_rates[0], in(angle, "-g/ell*sin(th)"))));
  const System plane = load_model("planar-pendulum");
  const ConstrainedMotion motion = constrained_motion(plane);
  const Expr th = in(angle, "th"), ell = in(angle, "ell");
  const std::vector<Expr> position{ell * sin(th), -ell * cos(th)};
  const auto along = [&](Expr e) { return derivative_along(e, motion_of(angle, leaf)); };
  SymbolMap there{{in(plane, "m").symbol(), in(angle, "m")}, {in(plane, "g").symbol(), in(angle, "g")}};
  for (std::size_t i = 0; i < 2; ++i) {
    there.emplace(plane.space.functions()[i], position[i]);
    there.emplace(plane.space.velocities()[i], along(position[i]));
  }
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(all_vanish(
        {along(along(position[i])) - substitute(motion.accelerations[static_cast<int>(i)], there)}));
  // The same recipe for z' = y x': the Lagrangian ((1 + y²) x'² + y'²)/2 alone gives another motion.
  const System particle = load_model("nonholonomic-particle");
  const EquationsOfMotion right = formalism("hamel").derive(particle);
  const Expr y = in(particle, "y"), u = right.speeds[0], v = right.speeds[1];
  CHECK(proved(are_equal(right.rate("u"), -y * u * v / (1 + y * y))));
  const Expr p = (1 + y * y) * u;  // ∂ℓ_c/∂x', constant if Lagrange's equations held
  CHECK(some_do_not_vanish({derivative_along(p, motion_of(particle, right))}));
}
