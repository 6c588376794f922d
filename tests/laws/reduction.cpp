// Reduction: frames that are what their definitions say, and Proposition 5 judged by the general identity of momenta.
#include <doctest/doctest.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/writing/short_form.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/lagrange_poincare.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/forms/suslov.hpp>
#include <rattleback/motion/symmetry/invariant_frame.hpp>
#include <rattleback/motion/symmetry/lr_system.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>

#include "../forms.hpp"
#include "random_systems.hpp"

using namespace rattleback;

namespace {

std::vector<VectorField> fields_of(const std::vector<Generator>& group) {
  std::vector<VectorField> eta;
  for (const Generator& g : group) eta.push_back(g.field);
  return eta;
}

/// v^i in the adapted speeds.
SymbolMap velocities(const System& s, const Reduction& r) {
  const AdaptedFrame& e = r.frame;
  SymbolMap psi;
  for (int i = 0; i < s.space.dimension(); ++i) {
    Expr v = r.D.drift[i];
    for (int a = 0; a < e.rank(); ++a)
      v += Expr(e.speeds[static_cast<std::size_t>(a)]) * e.legs[static_cast<std::size_t>(a)][i];
    psi.emplace(s.space.velocities()[static_cast<std::size_t>(i)], v);
  }
  return psi;
}

/// d/dt p_Z = Z^C L + Q(Z) for every Z in D: no frame, no brackets.
std::vector<Expr> residuals_of_momenta(const System& s, const Reduction& r, const std::vector<Expr>& rates) {
  const SymbolMap psi = velocities(s, r);
  std::vector<Expr> out;
  for (int a = 0; a < r.frame.rank(); ++a) {
    const VectorField& X = r.frame.legs[static_cast<std::size_t>(a)];
    Expr identity = complete_lift(X, s.lagrangian);
    for (std::size_t i = 0; i < s.forces.size(); ++i) identity += s.forces[i] * X[static_cast<int>(i)];
    out.push_back(rates[static_cast<std::size_t>(a)] - substitute(identity, psi));
  }
  return out;
}

void check_frame(const System& s, const Reduction& r) {
  const std::vector<VectorField> eta = fields_of(r.group);
  const AdaptedFrame& e = r.frame;
  CHECK(e.rho + e.kappa + e.c + e.k == s.space.dimension());
  CHECK(rank(as_columns(s.space, e.legs)) == s.space.dimension());
  for (const VectorField& X : e.legs) CHECK(is_invariant(X, eta));
  std::vector<VectorField> with_orbit = eta;
  for (int m = 0; m < s.space.dimension(); ++m) {
    if (e.is_vertical(m)) with_orbit.push_back(e.legs[static_cast<std::size_t>(m)]);
  }
  CHECK(rank(as_columns(s.space, with_orbit)) == r.orbit);
  for (int a = 0; a < e.rank(); ++a) {
    for (const Constraint& c : s.constraints)
      CHECK(proved(is_zero(dot(Matrix::column(gradient(c.expression, s.space.velocities())),
                               Matrix::column(e.legs[static_cast<std::size_t>(a)].coefficients())))));
  }
}

}  // namespace

TEST_CASE(
    "the adapted frame is adapted and invariant, the momentum equations hold (R.5)-(R.7); ME-frame, "
    "ME-prop4, ME-prop5-mom, ME-prop5-base") {
  for (const char* name :
       {"chaplygin-sleigh", "snakeboard", "veselova", "falling-disk", "suslov-kharlamova", "chaplygin-sphere",
        "vertical-disk", "routh-sphere", "tippe-top", "knife-edge-incline", "ball-on-turntable",
        "affine-particle", "plate-under-a-blade"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    check_frame(s, r);
    CHECK(r.D.rank() == r.frame.rho + r.frame.kappa);
    std::vector<Expr> rates = momentum_rates(s, r);
    CHECK(all_vanish(residuals_of_momenta(s, r, rates)));
    // Brackets with a vertical leg are vertical.
    for (int a = 0; a < r.frame.rho; ++a) {
      for (int b = 0; b < r.frame.rank(); ++b) {
        for (int m = 0; m < s.space.dimension(); ++m) {
          if (!r.frame.is_vertical(m)) CHECK(r.c(a, b, m).is_zero());
        }
      }
    }
    rates[0] += Expr(r.frame.speeds[0]);  // the mutant
    CHECK(some_do_not_vanish(residuals_of_momenta(s, r, rates)));
  }
}

TEST_CASE("affine constraints reduce with an invariant drift (R.10), and agree with multipliers") {
  for (const char* name : {"ball-on-turntable", "affine-particle"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Reduction r = reduction(s);
    const std::vector<VectorField> eta = fields_of(r.group);
    const VectorField y(s.space, {r.D.drift.entries().begin(), r.D.drift.entries().end()});
    CHECK(some_do_not_vanish(y.coefficients()));
    CHECK(is_invariant(y, eta));
    for (const Constraint& c : s.constraints)
      CHECK(all_vanish({substitute(c.expression, r.D.substitution())}));
    std::vector<EquationsOfMotion> forms{multiplier_equations(s), reduced_equations(s)};
    CHECK(proved(agreement(s, forms).motion));
    forms[1].speed_rates[0] += Expr(1);  // the mutant
    CHECK(refuted(agreement(s, forms).motion));
  }
}

TEST_CASE("a shape that is no coordinate is found: x^2 + y^2 for turns about the axis") {
  const System s = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - V(x^2 + y^2)"
[space]
x = "R"
y = "R"
z = "R"
[functions]
V = ["s"]
[constraints]
c = "z' = x*y' - y*x'"
)toml",
                              "helix.toml");
  const Reduction r = reduction(s);
  CHECK(r.orbit == 2);
  const std::vector<Statement> lines = shape(s, r);
  REQUIRE(lines.size() == 1);
  CHECK(is_invariant(lines[0].value, fields_of(r.group)));
}

TEST_CASE("LR systems are told: left-invariant energy, right-invariant constraints") {
  for (const char* name : {"veselova", "plate-under-a-blade"}) CHECK(is_lr_system(load_model(name)));
  for (const char* name : {"suslov", "chaplygin-sleigh-se2", "euler-top", "chaplygin-sphere"})
    CHECK_FALSE(is_lr_system(load_model(name)));
}

TEST_CASE("with the printed sign of K the shape equation fails; ME-prop5-base, ME-LP-hor") {
  const System s = load_model("falling-disk");
  Reduction r = reduction(s);
  REQUIRE(r.frame.kappa >= 1);
  const System particle = load_model("veselova");
  Reduction v = reduction(particle);
  for (int m = 0; m < particle.space.dimension(); ++m) {
    if (v.frame.is_vertical(m)) v.c.set(0, 1, m, -v.c(0, 1, m));
  }
  CHECK(some_do_not_vanish(residuals_of_momenta(particle, v, momentum_rates(particle, v))));
}

TEST_CASE("random systems on R^2 x G reduce, and agree with multipliers") {
  RandomSystems random(11);
  const Space r2 = RandomSystems::plane("r", 2);
  for (const Space& fibre : {RandomSystems::plane("s", 2), Space({special_euclidean_2("x", "y", "th")}),
                             Space({heisenberg("x", "y", "z")})}) {
    System s = random.system(r2 * fibre, 3, r2);  // two base legs and one of the group are free
    s.forces.assign(static_cast<std::size_t>(s.space.dimension()), Expr(0));
    const Reduction r = reduction(s);
    check_frame(s, r);
    CHECK(r.orbit >= fibre.dimension());
    const std::vector<EquationsOfMotion> forms{reduced_equations(s), multiplier_equations(s)};
    CHECK(proved(agreement(s, forms).motion));
  }
}

TEST_CASE("Euler-Poincare-Suslov on random Lie algebras agrees with multipliers (R.4); FE-2.7, BMZ-14") {
  const std::vector<LieAlgebra> algebras{so3(), se2(), sl2(), heisenberg_algebra(),
                                         gl2(), so4(), se3(), bianchi("V")};
  int seed = 1;
  for (const LieAlgebra& g : algebras) {
    System s;
    s.space = Space({algebra_factor("g", g)});
    const auto xi = s.space.velocities();
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < xi.size(); ++i) {
      Expr w = xi[i];
      for (std::size_t j = i + 1; j < xi.size(); ++j)
        w += Expr((seed * static_cast<int>(2 * i + 3 * j) % 5) - 2) * xi[j];
      terms.push_back(Expr(1 + static_cast<int>(i) % 3) * w * w / 2);
      ++seed;
    }
    s.lagrangian = sum(terms);
    Expr a = 0;
    for (std::size_t i = 0; i < xi.size(); ++i) a += Expr(1 + static_cast<int>(i * i) % 4) * xi[i];
    s.constraints.push_back({.name = "a", .expression = a});
    s.forces.assign(xi.size(), Expr(0));
    std::vector<EquationsOfMotion> forms{suslov_equations(s), multiplier_equations(s)};
    CHECK(proved(agreement(s, forms).motion));
    forms[0].speed_rates[0] += Expr(forms[0].speeds[0]);  // the mutant
    CHECK(refuted(agreement(s, forms).motion));
  }
}

TEST_CASE("functions of B that do not see a turn about e3 are written in the third row") {
  const Factor B = special_orthogonal_3("B");
  const Matrix b = B.rotation();
  const Expr f = b(0, 0) * b(0, 0) + b(1, 0) * b(1, 0), g = b(0, 0) * b(1, 1) - b(0, 1) * b(1, 0);
  CHECK(proved(are_equal(short_form(f), 1 - pow(b(2, 0), 2))));
  CHECK(short_form(g) == b(2, 2));
  for (const Expr e : {short_form(f), short_form(g), short_form(pow(f, 2) / (1 + g))}) {
    for (const Symbol s : symbols_of(e)) CHECK(s.attributes().entry >= 6);
  }
  CHECK(proved(are_equal(short_form(pow(f, 2) / (1 + g)), pow(f, 2) / (1 + g))));
  const Expr column = b(0, 0) * b(0, 1) + b(1, 0) * b(1, 1);  // = −γ1 γ2
  CHECK(short_form(column) == -(b(2, 0) * b(2, 1)));
  const Expr no = b(0, 0) * b(1, 1);  // sees every turn
  CHECK(proved(are_equal(short_form(no), no)));
}

TEST_CASE("functions of B that are 0/0 where a row has a zero are written as what they are") {
  const Factor B = special_orthogonal_3("B");
  for (const Matrix& b : {B.rotation(), transpose(B.rotation())}) {
    for (int k = 0; k < 3; ++k) {
      for (int z = 0; z < 3; ++z) {
        const int r = (k + 1) % 3, x = (z + 1) % 3, y = (z + 2) % 3;
        const auto part = [&](int i) {
          return b(r, i) * (1 - pow(b(k, z), 2)) + b(r, z) * b(k, i) * b(k, z);
        };
        const Expr e = part(x) / part(y);  // = −γ_y/γ_x with γ the row k
        CAPTURE(text(e));
        CHECK(proved(are_equal(short_form(e), e)));
        CHECK(proved(are_equal(e, -b(k, y) / b(k, x))));
        CHECK(refuted(are_equal(
            e, b(k, x) / b(k, y))));  // the mutant: with the factor cancelled that is 0 where b(r, z) = 0
      }
    }
  }
}

TEST_CASE("kinds of reduction that the zoo does not show: horizontal groups, groups too small, time") {
  const auto model = [](const std::string& lagrangian, const std::string& constraints,
                        const std::string& symmetry, const std::string& forces = "") {
    return read_model("lagrangian = \"" + lagrangian + "\"\n" + R"toml([space]
B = { group = "SO(3)", body = "Om", space = "om" }
x = "R"
y = "R"
z = "R"
w = "R"
)toml" + forces + "[constraints]\n" +
                          constraints + "[symmetry]\n" + symmetry,
                      "kinds.toml");
  };
  const std::string energy =
      "1/2*(2*Om[1]^2 + 3*Om[2]^2 + 4*Om[3]^2 + x'^2 + y'^2 + z'^2 + (1 + t^2)*w'^2) + Om[1]*x'";
  const std::string contact = "c = \"z' = y*x'\"\n";
  const System body = model(energy, contact, "left = \"B\"\n");
  const System shift = model(energy, contact + "d = \"w' = x*y'\"\n", "up = { z = \"1\" }\n");
  const Reduction turned = reduction(body), shifted = reduction(shift);
  CHECK(turned.kind == ReducedKind::horizontal);  // V lies in D, and so D + V is not everything
  CHECK_FALSE(turned.spans);
  CHECK(turned.frame.rho == 3);
  CHECK(shifted.kind == ReducedKind::general);  // D and V meet in nothing, and do not fill TQ either
  CHECK(shifted.frame.rho == 0);
  CHECK_FALSE(shifted.spans);
  for (const System& s : {body, shift}) {
    std::vector<EquationsOfMotion> forms{reduced_equations(s), multiplier_equations(s)};
    CHECK(proved(agreement(s, forms).motion));  // with an energy that depends on time
  }
}

TEST_CASE("forces in the momentum equation (N.8), and in what is conserved") {
  const auto model = [](const char* forces) {
    return read_model(std::string(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
screw = "z' = x*y' - y*x'"
)toml") + forces,
                      "screw.toml");
  };
  const System free = model(""), round = model("[forces]\nx = \"-x'\"\ny = \"-y'\"\n"),
               flat = model("[forces]\nx = \"-x'\"\n");
  const auto turn = [](const System& s) {
    const auto q = s.space.functions();
    return VectorField(s.space, {-Expr(q[1]), Expr(q[0]), Expr(0)});
  };
  for (const System& s : {free, round})
    CHECK(proved(is_symmetry(s, turn(s))));  // friction that prefers no direction
  CHECK(refuted(is_symmetry(flat, turn(flat))));
  const auto legs = [](const System& s) {
    const VectorField dx = VectorField::leg(s.space, 0), dy = VectorField::leg(s.space, 1),
                      dz = VectorField::leg(s.space, 2);
    return std::vector<VectorField>{dx, dy, dz};
  };
  for (const System& s : {free, round, flat}) {
    const Admissible D = admissible_velocities(s);
    const EquationsOfMotion motion = multiplier_equations(s);
    const MomentumBundle bundle = momentum_bundle(s, legs(s));
    CHECK(bundle.rank() == 2);
    SymbolMap speeds;
    for (std::size_t a = 0; a < D.speeds.size(); ++a)
      speeds.emplace(D.speeds[a], substitute(D.definitions[a], motion.velocities));
    const Expr slip = substitute(s.constraints[0].expression, motion.velocities);
    for (const MomentumEquation& e : momentum_equations(s, D, bundle)) {
      const Expr rate = derivative_along(momentum(s, e.field), motion_of(s, motion));
      SymbolMap on_D;  // the form with multipliers has all velocities as speeds
      for (const Symbol v : s.space.velocities()) on_D.emplace(v, substitute(Expr(v), D.substitution()));
      CHECK(all_vanish({substitute(rate, on_D) - e.rate}));
      CHECK(all_vanish({substitute(slip, on_D)}));
    }
  }
  const System pushed = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2 + w'^2)"
[space]
x = "R"
y = "R"
z = "R"
w = "R"
[forces]
w = "-w'"
[constraints]
c = "z' = y*x'"
)toml",
                                   "pushed.toml");
  for (const HorizontalSymmetry& h : horizontal_symmetries(pushed)) {
    const bool along_w = !h.field[3].is_zero();
    CHECK(proved(h.conserved) == !along_w);
  }
  CHECK(horizontal_symmetries(pushed).size() >= 2);
}
