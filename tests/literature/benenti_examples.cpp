// S. Benenti, SIGMA 3 (2007), 036: the second method (section 8) and the worked examples (section 9). Each test carries
// the number of the formula; misprints are corrected and named.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/agreement.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/velocities/lagrange.hpp>

#include "../forms.hpp"
#include "benenti_models.hpp"

using namespace rattleback;

namespace {

/// Everything of section 8, from M, b, A and c by matrices alone.
struct SecondMethod {
  System system;
  LagrangeEquations lagrange = lagrange_equations(system);
  ConstraintRows rows = constraint_rows(system);
  Matrix g = lagrange.mass, inverse_g = inverse(g).x, L = lagrange.force, C = rows.a, rate = rows.c;
  Matrix C_up = inverse_g * transpose(C);       ///< C^ai, transposed
  Matrix G_up = C * C_up, G = inverse(G_up).x;  ///< (8.5)
  Matrix C_star = C_up * G;                     ///< C_a^i, transposed
  Matrix pi = C_star * transpose(C_up);         ///< (8.11)
  ConstrainedMotion motion = constrained_motion(system);

  explicit SecondMethod(System s) : system(std::move(s)) {}
  Expr parsed(const std::string& text) const { return parse(text, system.scope); }
  bool is(const Matrix& m, const std::vector<std::vector<std::string>>& texts) const {
    for (int i = 0; i < m.rows(); ++i) {
      for (int j = 0; j < m.columns(); ++j) {
        if (!proved(
                are_equal(m(i, j), parsed(texts[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]))))
          return false;
      }
    }
    return true;
  }
};

bool vanish(const Matrix& m) { return all_vanish({m.entries().begin(), m.entries().end()}); }

/// A curved metric and two nonlinear constraints.
System curved() {
  return read_model(R"toml(
lagrangian = "1/2*((1 + q1^2)*q1'^2 + 2*q2'^2 + (1 + q3^2)*q3'^2 + q4'^2) + q2*q1'*q4'"
space = { q1 = "R", q2 = "R", q3 = "R", q4 = "R" }
parameters = { A1 = 1, A2 = 2, A3 = 3, A4 = 4 }
forces = { q1 = "A1", q2 = "A2", q3 = "A3", q4 = "A4" }
constraints = { first = "q3'^2 = q1*q1'^2 + q2'^2", second = "q4' = q2*q1'*q2'" }
)toml",
                    "curved");
}

}  // namespace

TEST_CASE("BE-8.1, BE-8.5, BE-8.6, BE-8.7: multipliers and reactions by G_ab, for one and two constraints") {
  for (const System& system :
       {curved(), load_model("quadratic-cone-particle"), read_model(disc_text, "disc")}) {
    const SecondMethod m(system);
    CHECK(refuted(is_zero(determinant(m.G_up))));                         // (8.5)
    const Matrix lambda = m.G * (-(m.C * (m.inverse_g * m.L)) - m.rate);  // (8.6), L = A - Gamma
    CHECK(vanish(lambda - m.motion.multipliers));
    const Matrix R = m.C_up * lambda;                               // (8.7)
    CHECK(vanish(m.inverse_g * m.L + R - m.motion.accelerations));  // (8.1)
  }
}

TEST_CASE("BE-8.8: the field D keeps the constraint functions constant on all of TQ") {
  for (const System& system : {curved(), load_model("appell-hamel"), read_model(skate_text, "skate")}) {
    const SecondMethod m(system);
    CHECK(vanish(m.C * m.motion.accelerations + m.rate));
    CHECK_FALSE(vanish(m.C * (m.inverse_g * m.L) + m.rate));  // the free motion does not
  }
}

TEST_CASE(
    "BE-8.11, BE-8.12, BE-8.13, BE-8.14, BE-R8.2: the projector form (the print has L_i, d_i C and dC/dq for "
    "L_j, d_j C, dC/dv)") {
  for (const System& system : {curved(), read_model(two_points_text, "points")}) {
    const SecondMethod m(system);
    CHECK(vanish(m.pi - transpose(m.pi)));
    CHECK(vanish(m.pi * m.g * m.pi - m.pi));
    CHECK(vanish((m.inverse_g - m.pi) * transpose(m.C)));
    CHECK(vanish((m.inverse_g - m.pi) * m.L - m.C_star * m.rate - m.motion.accelerations));  // (8.12)
    const Matrix R = -(m.pi * m.L) - m.C_star * m.rate;                                      // (8.13), (8.14)
    CHECK(vanish(m.C_up * m.motion.multipliers - R));
  }
  const SecondMethod one(read_model(two_points_text, "points"));  // a single constraint: pi = C^i C^j / G
  CHECK(vanish(one.pi - pow(one.G_up[0], -1) * (one.C_up * transpose(one.C_up))));
}

TEST_CASE("BE-4.8: Gauss's function as a distance from the free acceleration is least at the motion") {
  const SecondMethod m(curved());
  const Matrix from_free = m.motion.accelerations - m.inverse_g * m.L;
  CHECK(vanish(transpose(kernel(m.C).basis) * m.g * from_free));
}

TEST_CASE("BE-equiv: both methods give one motion, D^i = d_j psi^i psi^j + psi^i_alpha Z^alpha") {
  for (const std::string& text : {skate_text, disc_text, two_discs_text, two_points_text}) {
    const System system = read_model(text, "example");
    const Agreement found = agreement(system, {gibbs_appell_equations(system), multiplier_equations(system)});
    CAPTURE(found.difference);
    CHECK(evidence(found.motion) == "proved");
    CHECK(proved(found.balance));
  }
  const System system = curved();
  CHECK(proved(agreement(system, {gibbs_appell_equations(system), multiplier_equations(system)}).motion));
}

TEST_CASE(
    "BE-9.1-K, BE-9.1-G, BE-9.1-eq1: the skate by the first method (the print has R x S^1, I theta'/2, dim C "
    "= 3)") {
  const System skate = read_model(skate_text, "skate");
  CHECK(skate.space.dimension() == 3);
  const EquationsOfMotion e = gibbs_appell_equations(skate);
  CHECK(e.configuration.size() + e.speeds.size() == 5);
  CHECK(has_rate(skate, e, "z1", "(A1*cos(theta) + A2*sin(theta))/m"));
  CHECK(has_rate(skate, e, "z2", "A3/I"));
  CHECK(has_rate(skate, e, "x", "z1*cos(theta)"));
  CHECK(has_rate(skate, e, "y", "z1*sin(theta)"));
  CHECK(has_rate(skate, e, "theta", "z2"));
  const GibbsFunction S = gibbs_function(skate, solved_velocities(skate));
  CHECK(proved(are_equal(S.forces[0], parse("A1*cos(theta) + A2*sin(theta)", skate.scope))));
  CHECK(proved(are_equal(S.forces[1], parse("A3", skate.scope))));
}

TEST_CASE("BE-9.1-pi, BE-9.1-D: the skate by the second method") {
  const SecondMethod m(read_model(skate_text, "skate"));
  CHECK(m.is(m.G_up, {{"1/m"}}));
  CHECK(m.is(m.pi, {{"sin(theta)^2/m", "-sin(theta)*cos(theta)/m", "0"},
                    {"-sin(theta)*cos(theta)/m", "cos(theta)^2/m", "0"},
                    {"0", "0", "0"}}));
  CHECK(m.is(
      m.motion.accelerations,
      {{"cos(theta)/m*(A1*cos(theta) + A2*sin(theta)) - theta'*(x'*cos(theta) + y'*sin(theta))*sin(theta)"},
       {"sin(theta)/m*(A1*cos(theta) + A2*sin(theta)) + theta'*(x'*cos(theta) + y'*sin(theta))*cos(theta)"},
       {"A3/I"}}));
  CHECK(m.is(m.motion.multipliers,
             {{"A2*cos(theta) - A1*sin(theta) - m*theta'*(x'*cos(theta) + y'*sin(theta))"}}));
}

TEST_CASE("BE-9.2-con: rolling without slipping, v_P + omega x (-R k) = 0") {
  const Symbol psi = Symbol::make("psi"), vx = Symbol::make("vx"), vy = Symbol::make("vy"),
               roll = Symbol::make("roll"), turn = Symbol::make("turn"), R = Symbol::make("R");
  const Matrix u{{-sin(psi)}, {cos(psi)}, {Expr(0)}}, k{{Expr(0)}, {Expr(0)}, {Expr(1)}};
  const Matrix omega = roll * u + turn * k, v{{Expr(vx)}, {Expr(vy)}, {Expr(0)}};
  const Matrix slip = v + cross(omega, -R * k);
  CHECK(proved(are_equal(slip[0], vx - R * cos(psi) * roll)));
  CHECK(proved(are_equal(slip[1], vy - R * sin(psi) * roll)));
}

TEST_CASE("BE-9.2-G, BE-9.5: the disc by the first method") {
  const System disc = read_model(disc_text, "disc");
  const EquationsOfMotion e = gibbs_appell_equations(disc);
  CHECK(has_rate(disc, e, "z1", "(A1*R*cos(psi) + A2*R*sin(psi) + A3)/(m*R^2 + A)"));
  CHECK(has_rate(disc, e, "z2", "A4/B"));
  const GibbsFunction S = gibbs_function(disc, solved_velocities(disc));
  const auto G = [&](std::size_t a, std::size_t b) {
    return derivative(derivative(S.value, S.accelerations[a]), S.accelerations[b]);
  };
  CHECK(proved(are_equal(G(0, 0), parse("m*R^2 + A", disc.scope))));
  CHECK(proved(are_equal(G(1, 1), parse("B", disc.scope))));
  CHECK(proved(is_zero(G(0, 1))));
}

TEST_CASE(
    "BE-9.2-Gab, BE-9.2-Ca, BE-9.2-pi, BE-9.2-gpi, BE-9.2-X: the disc's matrices (pi^13, pi^23 where the "
    "first display has pi^14, pi^24; R^2/(mA^2) in the (3,3) entry)") {
  const SecondMethod m(read_model(disc_text, "disc"));
  const std::string c = "cos(psi)", s = "sin(psi)", det = "((m*R^2 + A)/(m^2*A))";
  CHECK(m.is(m.G_up, {{"1/m + R^2*cos(psi)^2/A", "R^2*sin(psi)*cos(psi)/A"},
                      {"R^2*sin(psi)*cos(psi)/A", "1/m + R^2*sin(psi)^2/A"}}));
  CHECK(proved(are_equal(determinant(m.G_up), m.parsed(det))));
  CHECK(m.is(m.C_star, {{"(1/m)*(1/m + R^2*sin(psi)^2/A)/" + det, "-R^2*sin(psi)*cos(psi)/(m*A)/" + det},
                        {"-R^2*sin(psi)*cos(psi)/(m*A)/" + det, "(1/m)*(1/m + R^2*cos(psi)^2/A)/" + det},
                        {"-R*cos(psi)/(m*A)/" + det, "-R*sin(psi)/(m*A)/" + det},
                        {"0", "0"}}));
  CHECK(m.is(columns_of(m.pi, {2, 3}), {{"-R*cos(psi)/(m^2*A)/" + det, "0"},
                                        {"-R*sin(psi)/(m^2*A)/" + det, "0"},
                                        {"R^2/(m*A^2)/" + det, "0"},
                                        {"0", "0"}}));
  const std::string k = "/(m*R^2 + A)";
  CHECK(m.is(m.inverse_g - m.pi, {{"R^2*cos(psi)^2" + k, "R^2*sin(psi)*cos(psi)" + k, "R*cos(psi)" + k, "0"},
                                  {"R^2*sin(psi)*cos(psi)" + k, "R^2*sin(psi)^2" + k, "R*sin(psi)" + k, "0"},
                                  {"R*cos(psi)" + k, "R*sin(psi)" + k, "1" + k, "0"},
                                  {"0", "0", "0", "1/B"}}));
  CHECK(m.is(m.C_star * m.rate, {{"R*theta'*psi'*sin(psi)"}, {"-R*theta'*psi'*cos(psi)"}, {"0"}, {"0"}}));
}

TEST_CASE("BE-9.6, BE-9.7: the disc by the second method") {
  const SecondMethod m(read_model(disc_text, "disc"));
  const std::string P = "(A1*R*cos(psi) + A2*R*sin(psi) + A3)", k = "(m*R^2 + A)";
  CHECK(m.is(m.motion.accelerations, {{"R*cos(psi)*" + P + "/" + k + " - R*theta'*psi'*sin(psi)"},
                                      {"R*sin(psi)*" + P + "/" + k + " + R*theta'*psi'*cos(psi)"},
                                      {P + "/" + k},
                                      {"A4/B"}}));
  // Scaled by k, as in (9.7): k x''/R = cos(psi) P − (k theta') psi' sin(psi).
  CHECK(proved(are_equal(m.parsed(k + "/R") * m.motion.accelerations[0],
                         m.parsed("cos(psi)*" + P + " - " + k + "*theta'*psi'*sin(psi)"))));
  CHECK(m.is(m.motion.multipliers, {{"m*R*cos(psi)*" + P + "/" + k + " - m*R*theta'*psi'*sin(psi) - A1"},
                                    {"m*R*sin(psi)*" + P + "/" + k + " + m*R*theta'*psi'*cos(psi) - A2"}}));
}

TEST_CASE(
    "BE-9.10, BE-9.3-a: four rolling constraints of two discs on a free axle give a' = 0 and psi' = (R/a)(z2 "
    "- z1)") {
  const System free = load_model("two-coaxial-disks-free-axle");
  const EquationsOfMotion e = gibbs_appell_equations(free);
  CHECK(e.speeds.size() == 2);
  CHECK(proved(is_zero(e.rate("a"))));
  const Expr turn = e.rate("psi") - parse("R/a", free.scope) * (e.rate("th2") - e.rate("th1"));
  CHECK(proved(is_zero(turn)));
}

TEST_CASE(
    "BE-9.13, BE-9.3-K, BE-9.3-g, BE-9.3-Gab, BE-9.3-det corrected: two discs in one order (x, y, th1, th2, "
    "psi)") {
  const System discs = read_model(two_discs_text, "discs");
  const LagrangeEquations lagrange = lagrange_equations(discs);
  const auto is = [&](Expr e, const std::string& text) {
    return proved(are_equal(e, parse(text, discs.scope)));
  };
  CHECK(is(lagrange.mass(0, 4), "m*a*cos(psi)"));  // printed with a factor 1/2
  CHECK(is(lagrange.mass(1, 4), "m*a*sin(psi)"));
  CHECK(is(lagrange.mass(4, 4), "m*a^2 + 2*B"));
  const Expr two = parse(
      "1/2*m*(x'^2 + y'^2 + (x' + a*cos(psi)*psi')^2 + (y' + a*sin(psi)*psi')^2) + 1/2*A*(th1'^2 + th2'^2) + "
      "B*psi'^2",
      discs.scope);
  CHECK(proved(are_equal(discs.lagrangian, two)));

  const Matrix legs = jacobian(solved_velocities(discs).psi, solved_velocities(discs).speeds);
  const std::vector<std::vector<std::string>> rows{
      {"R*cos(psi)", "0"}, {"R*sin(psi)", "0"}, {"1", "0"}, {"0", "1"}, {"-R/a", "R/a"}};
  for (int i = 0; i < 5; ++i) {
    for (int b = 0; b < 2; ++b)
      CHECK(is(legs(i, b), rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(b)]));
  }
  const Matrix G = transpose(legs) * lagrange.mass * legs;
  CHECK(is(G(0, 0), "m*R^2 + A + 2*B*R^2/a^2"));
  CHECK(is(G(1, 1), "m*R^2 + A + 2*B*R^2/a^2"));
  CHECK(is(G(0, 1), "-2*B*R^2/a^2"));
  CHECK(is(determinant(G), "(m*R^2 + A)*(m*R^2 + A + 4*B*R^2/a^2)"));
}

TEST_CASE("BE-9.3-L, BE-9.3-Zb, BE-9.3-Z, BE-9.3-eq corrected: the motion of the two discs") {
  const System discs = read_model(two_discs_text, "discs");
  const LagrangeEquations lagrange = lagrange_equations(discs);
  const auto is = [&](Expr e, const std::string& text) {
    return proved(are_equal(e, parse(text, discs.scope)));
  };
  CHECK(is(lagrange.force[0], "A1 + m*a*sin(psi)*psi'^2"));
  CHECK(is(lagrange.force[1], "A2 - m*a*cos(psi)*psi'^2"));
  CHECK(is(lagrange.force[2], "A3"));
  CHECK(is(lagrange.force[3], "A4"));
  CHECK(is(lagrange.force[4], "A5"));
  const SolvedVelocities v = solved_velocities(discs);
  const Expr Zbar = substitute(lagrange.force[0], v.substitution(discs.space));
  CHECK(is(Zbar, "A1 + (m*R^2/a)*(z2 - z1)^2*sin(psi)"));
  // The print permutes A3, A4, A5 and omits the inverse of G.
  const std::string Z1 = "(R*(A1*cos(psi) + A2*sin(psi)) + A3 - (R/a)*A5)", Z2 = "(A4 + (R/a)*A5)",
                    s = "(m*R^2 + A)", den = "(" + s + "*(" + s + "*a^2 + 4*B*R^2))";
  const GibbsFunction S = gibbs_function(discs, v);
  CHECK(is(S.forces[0], Z1));
  CHECK(is(S.forces[1], Z2));
  const EquationsOfMotion e = gibbs_appell_equations(discs);
  CHECK(has_rate(discs, e, "z1", "((" + s + "*a^2 + 2*B*R^2)*" + Z1 + " + 2*B*R^2*" + Z2 + ")/" + den));
  CHECK(has_rate(discs, e, "z2", "(2*B*R^2*" + Z1 + " + (" + s + "*a^2 + 2*B*R^2)*" + Z2 + ")/" + den));
  CHECK(has_rate(discs, e, "y", "R*sin(psi)*z1"));  // printed as a second dx/dt
}

TEST_CASE(
    "BE-9.14, BE-9.4-G, BE-9.17: two points by the first method (one dtheta/dt of the display is dy2/dt)") {
  const System points = read_model(two_points_text, "points");
  const SolvedVelocities v = solved_velocities(points);
  CHECK(proved(is_zero(substitute(points.constraints[0].expression, v.substitution(points.space)))));
  const EquationsOfMotion e = gibbs_appell_equations(points);
  CHECK(has_rate(points, e, "rho", "(A1*cos(theta) + A2*sin(theta))/m1"));
  CHECK(has_rate(points, e, "sigma", "(A3*cos(theta) + A4*sin(theta))/m2"));
  CHECK(has_rate(points, e, "theta",
                 "(rho*(A2*cos(theta) - A1*sin(theta)) + sigma*(A4*cos(theta) - A3*sin(theta)))/(m1*rho^2 + "
                 "m2*sigma^2)"));
  CHECK(has_rate(points, e, "y2", "sigma*sin(theta)"));
  const Matrix legs = jacobian(v.psi, v.speeds), G = transpose(legs) * lagrange_equations(points).mass * legs;
  const std::vector<std::string> diagonal{"m1", "m2", "m1*rho^2 + m2*sigma^2"};
  for (int a = 0; a < 3; ++a) {
    for (int b = 0; b < 3; ++b)
      CHECK(proved(
          are_equal(G(a, b), a == b ? formula(points, e, diagonal[static_cast<std::size_t>(a)]) : Expr(0))));
  }
}

TEST_CASE(
    "BE-9.18, BE-9.19: two points on an inclined plane (printed dtheta/dt = g cos theta twice for drho/dt, "
    "dsigma/dt)") {
  const System incline = load_model("two-points-parallel");
  const EquationsOfMotion e = gibbs_appell_equations(incline);
  CHECK(has_rate(incline, e, "rho", "g*cos(theta)"));
  CHECK(has_rate(incline, e, "sigma", "g*cos(theta)"));
  CHECK(has_rate(incline, e, "theta", "-g*sin(theta)*(m1*rho + m2*sigma)/(m1*rho^2 + m2*sigma^2)"));
  const Expr m1 = parse("m1", incline.scope);
  const SymbolMap equal{{parse("m2", incline.scope).symbol(), m1}};
  CHECK(proved(are_equal(substitute(e.rate("theta"), equal),
                         formula(incline, e, "-g*sin(theta)*(rho + sigma)/(rho^2 + sigma^2)"))));
}

TEST_CASE(
    "BE-9.4-sing: C_i loses its rank exactly on the zero section, psi_alpha exactly where rho = sigma = 0") {
  const System points = read_model(two_points_text, "points");
  const RankDrop implicit = rank_drop(constraint_rows(points).a);
  REQUIRE(implicit.loci.size() == 1);
  CHECK(implicit.exact);
  CHECK(implicit.loci[0].size() == 4);
  for (const Expr e : implicit.loci[0]) CHECK(split_coefficient(e).rest.is(Kind::symbol));
  const Assumptions where = gibbs_appell_equations(points).where;
  REQUIRE(where.size() == 1);
  CHECK(proved(are_equal(where[0].expression,
                         formula(points, gibbs_appell_equations(points), "m1*rho^2 + m2*sigma^2"))));
}

TEST_CASE("BE-9.4-G2, BE-9.4-pi, BE-9.4-D, BE-9.4-Dinc: two points by the second method") {
  const SecondMethod m(read_model(two_points_text, "points"));
  const std::string K2 = "(m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y2'^2))";
  CHECK(m.is(m.G_up, {{K2 + "/(m1*m2)"}}));
  const Matrix P = m.inverse_g - m.pi;
  const auto is = [&](Expr e, const std::string& text) {
    return proved(are_equal(e, m.parsed(text + "/" + K2)));
  };
  CHECK(is(P(1, 1), "(m1*(x1'^2 + y1'^2) + m2*y2'^2)/m1"));
  CHECK(is(P(0, 2), "y1'*y2'"));
  CHECK(is(P(2, 3), "m1*x1'*y1'/m2"));
  CHECK(is(m.motion.accelerations[0],
           "(A1*(m1*(x1'^2 + y1'^2) + m2*x2'^2)/m1 + A2*m2*x2'*y2'/m1 + A3*y1'*y2' - A4*x1'*y2')"));
  CHECK(is(m.motion.accelerations[1],
           "(A1*m2*x2'*y2'/m1 + A2*(m1*(x1'^2 + y1'^2) + m2*y2'^2)/m1 - A3*x2'*y1' + A4*x1'*x2')"));
  CHECK(is(m.motion.accelerations[2],
           "(A1*y1'*y2' - A2*x2'*y1' + A3*(m2*(x2'^2 + y2'^2) + m1*x1'^2)/m2 + A4*m1*x1'*y1'/m2)"));
  CHECK(is(m.motion.accelerations[3],
           "(-A1*x1'*y2' + A2*x1'*x2' + A3*m1*x1'*y1'/m2 + A4*(m2*(x2'^2 + y2'^2) + m1*y1'^2)/m2)"));
  CHECK(is(m.motion.multipliers[0], "-(m2*(A1*y2' - A2*x2') + m1*(A4*x1' - A3*y1'))"));

  const SecondMethod incline(load_model("two-points-parallel"));
  const auto on_incline = [&](int i, const std::string& text) {
    return proved(are_equal(incline.motion.accelerations[i], incline.parsed(text + "/" + K2)));
  };
  CHECK(on_incline(0, "g*(m1*(x1'^2 + y1'^2) + m2*(x2'^2 + y1'*y2'))"));
  CHECK(on_incline(1, "g*m2*x2'*(y2' - y1')"));
  CHECK(on_incline(2, "g*(m2*(x2'^2 + y2'^2) + m1*(x1'^2 + y1'*y2'))"));
  CHECK(on_incline(3, "g*m1*x1'*(y1' - y2')"));
}

TEST_CASE("BE-N9.1: the Appell-Hamel cone is the limit of a linear device") {
  const System device = load_model("appell-hamel-device"), cone = load_model("appell-hamel");
  const EquationsOfMotion linear = gibbs_appell_equations(device), ideal = gibbs_appell_equations(cone);
  const SymbolMap limit{{parse("rho", device.scope).symbol(), Expr(0)},
                        {parse("J", device.scope).symbol(), Expr(0)}};
  // Horizontal speed a·phi' of the device; the cone climbs b/a per horizontal speed.
  CHECK(proved(are_equal(substitute(linear.rate("roll"), limit), parse("-g*b/(a^2 + b^2)", device.scope))));
  const Expr speed = sqrt(formula(cone, ideal, "x'^2 + y'^2"));
  const Expr rate =
      (formula(cone, ideal, "x'") * ideal.rate("x'") + formula(cone, ideal, "y'") * ideal.rate("y'")) / speed;
  CHECK(proved(
      are_equal(rate, parse("g*a/(1 + a^2)", cone.scope))));  // sinking branch; a here is the climb b/a
}
