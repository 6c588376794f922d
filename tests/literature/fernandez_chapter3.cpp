// O. E. Fernandez, The Hamiltonization of Nonholonomic Systems and its Applications (thesis, 2009), chapter III: Voronets'
// equations, brackets, Chaplygin's reduction. The names of the tests carry the equation numbers; misprints are named.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/chaplygin.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

/// (m, k) = (2, 1) and (3, 2) with A(r, s), full metrics and potentials, all abstract.
System generic_2_1() {
  return read_model(R"toml(
lagrangian = "1/2*(g11(r1, r2, s)*r1'^2 + r2'^2 + 2*s'^2) + g12(r1, s)*r1'*r2' + g13(r2, s)*r1'*s' + r1*r2'*s' - V(r1, r2, s)"
space = { r1 = "R", r2 = "R", s = "R" }
functions = { g11 = ["r1", "r2", "s"], g12 = ["r1", "s"], g13 = ["r2", "s"], V = ["r1", "r2", "s"], A1 = ["r1", "r2", "s"], A2 = ["r1", "r2", "s"] }
constraints = { c = "s' + A1(r1, r2, s)*r1' + A2(r1, r2, s)*r2' = 0" }
)toml",
                    "generic-2-1");
}

System generic_3_2() {
  return read_model(R"toml(
lagrangian = "1/2*(r1'^2 + (2 + r1^2)*r2'^2 + 3*r3'^2 + 2*s1'^2 + 3*s2'^2) + r1'*s1' + r2*r2'*s2' + s1*r3'*s1' + r3'*r1' - V(r1, s2)"
space = { r1 = "R", r2 = "R", r3 = "R", s1 = "R", s2 = "R" }
functions = { V = ["r1", "s2"], A = ["r2", "s1"] }
constraints = { a = "s1' + A(r2, s1)*r1' + s2*r2' + r1*r3' = 0", b = "s2' + r3*r1' + s1*r1*r2' - r2*r3' = 0" }
)toml",
                    "generic-3-2");
}

/// Nonabelian Chaplygin systems: A(r) and a full metric over SE(2) and the Heisenberg group.
System over_group(const std::string& group) {
  const std::string coordinates =
      group == "SE(2)" ? R"toml(["x", "y", "th"])toml" : R"toml(["x", "y", "z"])toml";
  return read_model(R"toml(
lagrangian = "1/2*((1 + r2^2)*r1'^2 + 2*r2'^2 + v1^2 + 3*v2^2 + (2 + r1^2)*w^2) + r1*v1*w + v2*w/2 + r1'*v2 + r2*r2'*w - V(r1, r2)"
[functions]
V = ["r1", "r2"]
A = ["r1", "r2"]
[constraints]
a = "v1 + A(r1, r2)*r1' + r1*r2' = 0"
b = "v2 + r2*r1' + 2*r2' = 0"
c = "w + r1*r1' + (1 + r2)*r2' = 0"
[space]
r1 = "R"
r2 = "R"
g = { group = ")toml" + group +
                        "\", coordinates = " + coordinates + R"toml(, velocities = ["v1", "v2", "w"] })toml" +
                        "\n",
                    "over-group");
}

std::vector<int> last(int k, int n) {
  std::vector<int> legs;
  for (int i = n - k; i < n; ++i) legs.push_back(i);
  return legs;
}

}  // namespace

TEST_CASE(
    "FE-3.2, FE-3.7, FE-3.11: r in R^m, s in R^k with m = n - k (printed otherwise); n + m equations on D") {
  const System system = generic_3_2();
  const Splitting s = solved_for(system, last(2, 5));
  CHECK(s.base_dimension() == 3);
  CHECK(s.fibre_dimension() == 2);
  const EquationsOfMotion equations = bracket_equations(system);
  CHECK(equations.configuration.size() + equations.speeds.size() == 5 + 3);
  CHECK(all_vanish(constraint_residuals(system, voronets_equations(system))));
}

TEST_CASE("FE-3.5, FE-3.6, FE-3.8: the curvature force, for (m, k) = (2, 1) and (3, 2)") {
  for (const System& system : {generic_2_1(), generic_3_2()}) {
    const int k = static_cast<int>(system.constraints.size()), n = system.space.dimension();
    Voronets form = voronets(system, solved_for(system, last(k, n)));
    CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system, form))));
    const Connection& w = form.constraints.connection;
    for (int a = 0; a < k; ++a) {  // (3.8), and as the vertical part of a bracket
      const VectorField commutator = bracket(w.horizontal(0), w.horizontal(1));
      CHECK(proved(are_equal(form.B(a, 0, 1), commutator[n - k + a])));
    }
    for (Expr& p : form.fibre_momenta) p = -p;
    CHECK(some_do_not_vanish(dalembert_residuals(system, voronets_equations(system, form))));
  }
}

TEST_CASE("FE-3.hol: B = 0 iff the constraints are holonomic, and then L_c alone gives the motion") {
  System system = generic_2_1();
  Voronets form = voronets(system, solved_for(system, {2}));
  CHECK(some_do_not_vanish({form.B.entries().begin(), form.B.entries().end()}));
  const auto q = system.space.functions();
  system.constraints[0].expression = system.space.rate(exp(Expr(q[2])) + sin(Expr(q[0])) * q[1]);
  form = voronets(system, solved_for(system, {2}));
  CHECK(all_vanish({form.B.entries().begin(), form.B.entries().end()}));
  for (Expr& p : form.fibre_momenta) p = 0;
  CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system, form))));
}

TEST_CASE(
    "FE-3.11, FE-3.15: the momentum form; R_l^gamma (printed K_l^gamma in (3.15)) takes p to the fibre's "
    "momenta") {
  const System system = generic_3_2();
  const Splitting s = solved_for(system, last(2, 5));
  const ConstrainedBracket b = constrained_bracket(system, s.admissible());
  const Voronets form = voronets(system, s);
  const std::vector<Symbol> v = s.base_velocities();
  const Matrix M = jacobian(form.fibre_momenta, v), G = jacobian(gradient(form.lagrangian, v), v);
  const auto R = solve(G, transpose(M));  // R_a^γ = M_aα G^αγ, as columns
  REQUIRE(R);
  const OneForm dH = differential(b.tensor.space(), b.hamiltonian);
  const VectorField X = motion(b);
  std::vector<Expr> residuals;
  for (int alpha = 0; alpha < 3; ++alpha) {
    Expr rate = -dH[alpha];
    for (int a = 0; a < 2; ++a) {
      rate += s.connection.A(a, alpha) * dH[3 + a];
      for (int beta = 0; beta < 3; ++beta) {
        for (int g = 0; g < 3; ++g)
          rate -= b.momenta[static_cast<std::size_t>(g)] * R->x(g, a) * form.B(a, alpha, beta) * dH[5 + beta];
      }
    }
    residuals.push_back(X[5 + alpha] - rate);
    residuals.push_back(X[alpha] - dH[5 + alpha]);
  }
  CHECK(all_vanish(residuals));
}

TEST_CASE("FE-3.15-J: Jac(r, p_a, p_b) and Jac(s, p_a, p_b) are the curvature, so Jacobi iff holonomic") {
  const System system = generic_2_1();
  const Splitting s = solved_for(system, {2});
  const ConstrainedBracket b = constrained_bracket(system, s.admissible());
  const Curvature B = curvature(s.connection);
  const Voronets form = voronets(system, s);
  const std::vector<Symbol> v = s.base_velocities();
  const auto R = solve(jacobian(gradient(form.lagrangian, v), v), transpose(jacobian(form.fibre_momenta, v)));
  REQUIRE(R);
  const auto twice = [&](Expr f, Expr g, Expr h) { return bracket(b.tensor, bracket(b.tensor, f, g), h); };
  const auto jacobiator_of = [&](Expr q) {
    const Expr p1 = b.momenta[0], p2 = b.momenta[1];
    return twice(q, p1, p2) + twice(p1, p2, q) + twice(p2, q, p1);
  };
  const auto q = system.space.functions();
  for (int g = 0; g < 2; ++g)
    CHECK(proved(are_equal(jacobiator_of(q[static_cast<std::size_t>(g)]), R->x(g, 0) * B(0, 0, 1))));
  CHECK(proved(
      are_equal(jacobiator_of(q[2]),
                -(1 + s.connection.A(0, 0) * R->x(0, 0) + s.connection.A(0, 1) * R->x(1, 0)) * B(0, 0, 1))));
}

TEST_CASE("FE-3.16: D + TOrb = TQ; D and the orbits of a Chaplygin system are complementary") {
  const System carriage = load_model("two-wheeled-carriage");
  const Chaplygin c = chaplygin_reduction(carriage);
  Matrix both = c.form.constraints.admissible().psi;
  for (const int a : c.form.constraints.connection.fibre()) {
    Matrix leg(both.rows(), 1);
    leg[a] = 1;
    both = beside(both, leg);
  }
  CHECK(both.columns() == carriage.space.dimension());
  CHECK(rank(both) == carriage.space.dimension());
}

TEST_CASE("FE-3.18, FE-3.18-B: nonabelian reduction; the curvature has + C A A for g^-1 g' (printed: -)") {
  for (const std::string group : {"SE(2)", "H3"}) {
    CAPTURE(group);
    const System system = over_group(group);
    Chaplygin c = chaplygin_reduction(system);
    CHECK_FALSE(c.is_abelian());
    CHECK(all_vanish(dalembert_residuals(system, chaplygin_equations(system, c))));
    // As printed: 2 C A A less.
    const Connection& w = c.form.constraints.connection;
    const StructureCoefficients& C = c.system.space.c();
    Expr twice = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        for (int d = 0; d < 3; ++d) {
          const auto leg = [&](int i) { return w.fibre()[static_cast<std::size_t>(i)]; };
          twice += 2 * c.form.fibre_momenta[static_cast<std::size_t>(a)] * C(leg(b), leg(d), leg(a)) *
                   w.A(b, 0) * w.A(d, 1);
        }
      }
    }
    c.lambda(0, 1) += twice;
    c.lambda(1, 0) -= twice;
    CHECK(some_do_not_vanish(dalembert_residuals(system, chaplygin_equations(system, c))));
  }
}

TEST_CASE("FE-3.20, FE-3.22, FE-3.29: Lambda_ab = (dl/dxi)_c B_ba = -K^e_ab p_e = {p_a, p_b}") {
  for (const std::string group : {"SE(2)", "H3"}) {
    const System system = over_group(group);
    const Chaplygin c = chaplygin_reduction(system);
    const std::vector<Symbol> v = c.form.constraints.base_velocities();
    const std::vector<Expr> p = gradient(c.form.lagrangian, v);
    Expr by_curvature = 0;
    for (int a = 0; a < 3; ++a)
      by_curvature += c.form.fibre_momenta[static_cast<std::size_t>(a)] * c.form.B(a, 1, 0);
    CHECK(proved(are_equal(c.lambda(0, 1), by_curvature)));
    CHECK(proved(are_equal(c.lambda(0, 1), -(c.K(0, 1, 0) * p[0] + c.K(0, 1, 1) * p[1]))));
    const ConstrainedBracket b = constrained_bracket(c.system, c.form.constraints.admissible());
    SymbolMap to_velocities;
    for (std::size_t a = 0; a < v.size(); ++a) to_velocities.emplace(b.momenta[a], p[a]);
    const int n = system.space.dimension();
    CHECK(proved(are_equal(substitute(b.tensor(n, n + 1), to_velocities), c.lambda(0, 1))));
  }
}

TEST_CASE(
    "FE-3.15-rare: the bracket on (r, p) may be Poisson although the constraints are not holonomic: the "
    "disk") {
  const Chaplygin disk = chaplygin_reduction(load_model("vertical-disk"));
  CHECK(proved(is_zero(disk.lambda(0, 1))));
  CHECK(some_do_not_vanish({disk.form.B.entries().begin(), disk.form.B.entries().end()}));
  CHECK(refuted(is_zero(chaplygin_reduction(load_model("two-wheeled-carriage")).lambda(0, 1))));
}

TEST_CASE(
    "FE-3.31, FE-3.33-vel: the divergence in (r, p) is -K^a_ab r'^b; in (r, r') the rate of ln det G is "
    "missing") {
  const System system = over_group("SE(2)");
  const Chaplygin c = chaplygin_reduction(system);
  const EquationsOfMotion equations = chaplygin_equations(system, c);
  const SymbolMap along = motion_of(system, equations);
  const std::vector<Symbol> v = c.form.constraints.base_velocities();
  const auto inverse = solve(c.metric, Matrix::identity(2));
  REQUIRE(inverse);
  // In (r, p) the canonical part has no divergence: what is left is ∂(Λ_αβ ṙ^β)/∂p_α = (∂Λ_αβ/∂p_α) ṙ^β.
  Expr by_momenta = 0, trace = 0, by_velocities = 0;
  for (int alpha = 0; alpha < 2; ++alpha) {
    const auto al = static_cast<std::size_t>(alpha);
    by_velocities += derivative(equations.speed_rates[al], v[al]);
    for (int beta = 0; beta < 2; ++beta) {
      const Expr speed = v[static_cast<std::size_t>(beta)];
      trace += c.K(alpha, beta, alpha) * speed;
      for (int g = 0; g < 2; ++g)
        by_momenta +=
            derivative(c.lambda(alpha, beta), v[static_cast<std::size_t>(g)]) * inverse->x(g, alpha) * speed;
    }
  }
  const Expr det_G = determinant(c.metric);
  const Expr rate = derivative_along(det_G, along) / det_G;
  CHECK(proved(is_zero(by_momenta + trace)));
  CHECK(proved(is_zero(by_velocities + rate + trace)));
  CHECK(refuted(is_zero(by_velocities + trace)));
}

TEST_CASE(
    "FE-5.2.2-R6: the two-wheeled carriage: theta's constraint is integrable, Lambda vanishes iff l = 0") {
  const System carriage = load_model("two-wheeled-carriage");
  const Chaplygin c = chaplygin_reduction(carriage);
  CHECK(proved(is_zero(c.form.B(2, 0, 1))));  // θ
  CHECK(proved(are_equal(c.lambda(0, 1), parse("R^3*l*m*(f2' - f1')/(4*c^2)", carriage.scope))));
}

TEST_CASE(
    "FE-7.17, FE-7.2.3-cyc: the Chaplygin sphere in Euler angles; p_phi is conserved although Lambda_{theta "
    "phi} != 0") {
  const System sphere = load_model("chaplygin-sphere-euler");
  const Voronets form = voronets(sphere, splitting(sphere));
  const std::vector<Symbol> v = form.constraints.base_velocities();
  REQUIRE(v.size() == 3);
  const std::vector<Expr> force = curvature_force(form);
  const auto is = [&](std::size_t a, const std::string& speed, const std::string& text) {
    return v[a].name() == speed && proved(are_equal(force[a], parse(text, sphere.scope)));
  };
  CHECK(is(0, "theta'", "-m*psi'*sin(theta)*(phi' + psi'*cos(theta))"));
  CHECK(is(1, "psi'", "m*theta'*sin(theta)*(phi' + psi'*cos(theta))"));
  CHECK(is(2, "phi'", "0"));
  Expr lambda = 0;  // Λ_{θφ}
  for (int a = 0; a < 2; ++a) lambda += form.fibre_momenta[static_cast<std::size_t>(a)] * form.B(a, 2, 0);
  CHECK(proved(are_equal(lambda, parse("-m*psi'*sin(theta)", sphere.scope))));
}

TEST_CASE(
    "FE-7.20: the snakeboard in momenta: p_theta' = -(p_theta - p_psi) p_phi/(2 sin phi cos phi) in unit "
    "parameters") {
  const System board =
      with_values(load_model("snakeboard"), {{"m", "1"}, {"r", "1"}, {"J0", "1"}, {"J1", "1"}});
  const ConstrainedBracket b = constrained_bracket(board, solved_for(board, {0, 1}).admissible());
  SymbolMap unit;
  for (const Parameter& p : board.parameters) unit.emplace(p.symbol, Expr(1));
  Scope scope = board.scope;
  for (const Symbol p : b.momenta) scope.define(p.name(), Expr(p));
  const VectorField X = motion(b);
  for (std::size_t a = 0; a < b.momenta.size(); ++a) {
    const Expr rate = substitute(X[5 + static_cast<int>(a)], unit);
    if (b.momenta[a].name() == "p_theta") {
      CHECK(proved(are_equal(rate, parse("-(p_theta - p_psi)*p_phi/(2*sin(phi)*cos(phi))", scope))));
    } else {
      CHECK(proved(is_zero(rate)));
    }
  }
}
