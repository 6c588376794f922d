// A. M. Bloch, J. E. Marsden, D. V. Zenkov, Nonholonomic dynamics, Notices AMS 52 (2005): Ehresmann connections, the
// bracket, the falling disk, the sleigh. The names of the tests carry the paper's equation numbers.
#include <doctest/doctest.h>

#include <rattleback/motion/equations/energy.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/forms/vakonomic.hpp>
#include <rattleback/motion/forms/voronets.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

System generic() {
  return read_model(R"toml(
lagrangian = "1/2*(r1'^2 + (1 + r1^2)*r2'^2 + s1'^2 + 2*s2'^2) + F(r1, s1)*r1'*s1' + r2*r2'*s2' - V(r1, r2, s1, s2)"
space = { r1 = "R", r2 = "R", s1 = "R", s2 = "R" }
functions = { F = ["r1", "s1"], V = ["r1", "r2", "s1", "s2"], A = ["r2", "s2"] }
constraints = { first = "s1' + A(r2, s2)*r1' + s1*r2' = 0", second = "s2' + r2*r1' + r1*s1*r2' = 0" }
)toml",
                    "generic");
}

/// E_i(L) for arbitrary accelerations, in coordinates.
Expr lagrange(const System& system, Expr L, int i) {
  const Space& Q = system.space;
  return Q.total_rate(derivative(L, Q.velocities()[static_cast<std::size_t>(i)])) - Q.derivative(i, L);
}

}  // namespace

TEST_CASE("BMZ-1: s' + A r' = 0, X_al = d_r - A d_s") {
  const System system = generic();
  const Splitting s = solved_for(system, {2, 3});
  CHECK(proved(are_equal(s.connection.A(0, 0), parse("A(r2, s2)", system.scope))));
  CHECK(proved(are_equal(s.connection.horizontal(1)[3], parse("-r1*s1", system.scope))));
  const Space& Q = system.space;
  std::vector<Expr> forms, fields;
  for (int a = 0; a < 2; ++a) {
    Expr form = system.constraints[static_cast<std::size_t>(a)].expression -
                Expr(Q.velocities()[2 + static_cast<std::size_t>(a)]);
    for (int alpha = 0; alpha < 2; ++alpha) {
      form -= s.connection.A(a, alpha) * Expr(Q.velocities()[static_cast<std::size_t>(alpha)]);
      fields.push_back(s.connection.horizontal(alpha)[2 + a] + s.connection.A(a, alpha));
      fields.push_back(s.connection.horizontal(alpha)[a] - Expr(a == alpha ? 1 : 0));
    }
    forms.push_back(form);
  }
  CHECK(all_vanish(forms));
  CHECK(all_vanish(fields));
}

TEST_CASE(
    "BMZ-2, BMZ-3, BMZ-4: three ways to write the same equations, for arbitrary accelerations of the base") {
  const System system = generic();
  const Space& Q = system.space;
  const Splitting s = solved_for(system, {2, 3});
  const Voronets form = voronets(system, s);
  // On the constraint: s' = −A r', s'' = −(A r')'.
  SymbolMap on_D = s.admissible().substitution();
  SymbolMap velocities = on_D;
  for (const int a : s.connection.fibre())
    on_D.emplace(
        Q.accelerations()[static_cast<std::size_t>(a)],
        substitute(Q.total_rate(velocities.at(Q.velocities()[static_cast<std::size_t>(a)])), velocities));
  for (int alpha = 0; alpha < 2; ++alpha) {
    Expr third = lagrange(system, system.lagrangian, alpha);
    for (int a = 0; a < 2; ++a)
      third -= s.connection.A(a, alpha) * lagrange(system, system.lagrangian, 2 + a);
    third = substitute(third, on_D);
    Expr fourth =
        substitute(Q.total_rate(derivative(form.lagrangian, Q.velocities()[static_cast<std::size_t>(alpha)])),
                   velocities) -
        Q.derivative(alpha, form.lagrangian);
    Expr force = 0;
    for (int a = 0; a < 2; ++a) {
      fourth += s.connection.A(a, alpha) * Q.derivative(2 + a, form.lagrangian);
      for (int beta = 0; beta < 2; ++beta)
        force += form.fibre_momenta[static_cast<std::size_t>(a)] * form.B(a, alpha, beta) *
                 Q.velocities()[static_cast<std::size_t>(beta)];
    }
    CHECK(proved(are_equal(third, fourth + force)));
    CHECK(refuted(are_equal(third, fourth - force)));
  }
  CHECK(all_vanish(dalembert_residuals(system, voronets_equations(system, form))));
}

TEST_CASE("BMZ-B: B is the s-component of [X_al, X_be] and vanishes iff the constraints are integrable") {
  const System system = generic();
  const Splitting s = solved_for(system, {2, 3});
  const Curvature B = curvature(s.connection);
  const VectorField commutator = bracket(s.connection.horizontal(0), s.connection.horizontal(1));
  for (int b = 0; b < 2; ++b) CHECK(proved(are_equal(B(b, 0, 1), commutator[2 + b])));
  System integrable = system;
  const auto q = system.space.functions();
  integrable.constraints[0].expression =
      exp(Expr(q[2])) * system.space.rate(Expr(q[2]) * (1 + q[0] * q[0]) + q[1] * q[0]);
  integrable.constraints[1].expression = system.space.rate(Expr(q[3]) + q[0] * q[1] * q[2]);
  const Curvature flat = curvature(solved_for(integrable, {2, 3}).connection);
  CHECK(all_vanish({flat.entries().begin(), flat.entries().end()}));
  CHECK(some_do_not_vanish({B.entries().begin(), B.entries().end()}));
}

TEST_CASE(
    "BMZ-intro-variational: z' = y x': variational minus d'Alembert's acceleration is proportional to mu") {
  const System particle = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2)\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\nconstraints = "
      "{ c = \"z' = y*x'\" }\n"
      "velocities = { u = \"x'\", v = \"y'\" }\n",
      "particle");
  const EquationsOfMotion free = hamel_equations(particle), variational = vakonomic_equations(particle);
  const auto difference = [&](const std::string& name, const std::string& text) {
    return proved(are_equal(variational.rate(name) - free.rate(name), formula(particle, variational, text)));
  };
  CHECK(difference("u", "-mu_c*v/(1 + y^2)"));  // the paper's mu has the other sign
  CHECK(difference("v", "mu_c*u"));
}

TEST_CASE("BMZ-intro-energy: energy is conserved; momentum, Jacobi's identity and volume are not") {
  const System sleigh = load_model("chaplygin-sleigh");
  CHECK(proved(conserves_energy(sleigh)));
  CHECK(refuted(satisfies_jacobi(constrained_bracket(sleigh, admissible_velocities(sleigh)).tensor)));
  const EquationsOfMotion equations = bracket_equations(sleigh);
  CHECK(refuted(is_zero(equations.rate("p_omega"))));
  Expr divergence = 0;
  for (std::size_t a = 0; a < equations.speeds.size(); ++a)
    divergence += derivative(equations.speed_rates[a], equations.speeds[a]);
  CHECK(proved(are_equal(divergence, formula(sleigh, equations, "-a*p_u/(J + m*a^2)"))));
}

TEST_CASE("BMZ-disk-model, BMZ-disk-p: the falling disk's constrained Lagrangian and its cyclic momenta") {
  const System disk = load_model("falling-disk");
  const Voronets form = voronets(disk, splitting(disk));
  const std::vector<Symbol> base = form.constraints.base_velocities();
  for (const Symbol q : disk.space.functions()) {
    if (q.name() == "phi" || q.name() == "psi") CHECK(proved(is_zero(derivative(form.lagrangian, q))));
  }
  CHECK(proved(are_equal(form.lagrangian, parse("1/2*((J + m*R^2)*theta'^2 + (I + m*R^2)*(phi'*sin(theta) + "
                                                "psi')^2 + J*phi'^2*cos(theta)^2) - m*g*R*cos(theta)",
                                                disk.scope))));
  const std::vector<Expr> force = curvature_force(form);
  for (std::size_t a = 0; a < base.size(); ++a) {
    if (base[a].name() == "phi'")
      CHECK(proved(are_equal(force[a], parse("m*R^2*psi'*theta'*cos(theta)", disk.scope))));
    if (base[a].name() == "psi'")
      CHECK(proved(are_equal(force[a], parse("-m*R^2*phi'*theta'*cos(theta)", disk.scope))));
  }
}

TEST_CASE("BMZ-cyclic: the cyclic momentum equation is quadratic in r' (printed: linear)") {
  const System disk = load_model("falling-disk");
  const Voronets form = voronets(disk, splitting(disk));
  const std::vector<Symbol> v = form.constraints.base_velocities();
  SymbolMap doubled;
  for (const Symbol s : v) doubled.emplace(s, 2 * Expr(s));
  std::vector<Expr> quadratic, linear;
  for (const Expr f : curvature_force(form)) {
    quadratic.push_back(substitute(f, doubled) - 4 * f);
    linear.push_back(substitute(f, doubled) - 2 * f);
  }
  CHECK(all_vanish(quadratic));
  CHECK(some_do_not_vanish(linear));
}

TEST_CASE(
    "BMZ-canonical, BMZ-M, BMZ-9: without constraints the bracket is canonical; with them it lives on "
    "FL(D)") {
  const System cart = load_model("cart-pendulum");
  const ConstrainedBracket free = constrained_bracket(cart, admissible_velocities(cart));
  const int n = cart.space.dimension();
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      CHECK(proved(are_equal(free.tensor(i, n + j), Expr(i == j ? 1 : 0))));
      CHECK(proved(is_zero(free.tensor(n + i, n + j))));
    }
  }
  const System system = generic();
  const Admissible D = admissible_velocities(system);
  const ConstrainedBracket b = constrained_bracket(system, D);
  // M = {ω^a(∂H/∂P) = 0}: the velocities of the embedded momenta satisfy the constraints.
  const Matrix A =
      jacobian(gradient(system.lagrangian, system.space.velocities()), system.space.velocities());
  const auto v = solve(A, Matrix::column(b.embedding));
  REQUIRE(v);
  SymbolMap velocities;
  for (int i = 0; i < 4; ++i)
    velocities.emplace(system.space.velocities()[static_cast<std::size_t>(i)], v->x[i]);
  for (const Constraint& c : system.constraints) CHECK(proved(is_zero(substitute(c.expression, velocities))));
  CHECK(b.tensor.components().rows() == 2 * 4 - 2);
}

TEST_CASE("BMZ-jacobi, BMZ-jacobiator: Jacobi iff holonomic; H_M is conserved") {
  const System system = generic();
  const ConstrainedBracket b = constrained_bracket(system, admissible_velocities(system));
  CHECK(refuted(satisfies_jacobi(b.tensor)));
  CHECK(proved(is_zero(motion(b)(b.hamiltonian))));
  const StructureCoefficients c = constrained_structure_coefficients(system, b.D);
  const VectorField commutator = bracket(b.D.leg(0), b.D.leg(1));
  const Expr p1 = b.momenta[0], p2 = b.momenta[1];
  const auto twice = [&](Expr f, Expr g, Expr h) { return bracket(b.tensor, bracket(b.tensor, f, g), h); };
  for (const Symbol s : system.space.functions()) {
    const Expr q = s, inside = c(0, 1, 0) * b.D.leg(0)(q) + c(0, 1, 1) * b.D.leg(1)(q);
    CHECK(proved(are_equal(twice(q, p1, p2) + twice(p1, p2, q) + twice(p2, q, p1), inside - commutator(q))));
  }
}

TEST_CASE("BMZ-thm5: s' = -A dH/dp, r' = dH/dp, p' = -dH/dr + A dH/ds - p_b B dH/dp") {
  const System system = generic();
  const Splitting s = solved_for(system, {2, 3});
  const ConstrainedBracket b = constrained_bracket(system, s.admissible());
  const Curvature B = curvature(s.connection);
  const VectorField X = motion(b);
  const OneForm dH = differential(b.tensor.space(), b.hamiltonian);
  std::vector<Expr> residuals;
  for (int alpha = 0; alpha < 2; ++alpha) {
    residuals.push_back(X[alpha] - dH[4 + alpha]);
    residuals.push_back(X[2 + alpha] + s.connection.A(alpha, 0) * dH[4] + s.connection.A(alpha, 1) * dH[5]);
    Expr rate = -dH[alpha];
    for (int a = 0; a < 2; ++a) {
      rate += s.connection.A(a, alpha) * dH[2 + a];
      for (int beta = 0; beta < 2; ++beta) rate -= b.embedding[2 + a] * B(a, alpha, beta) * dH[4 + beta];
    }
    residuals.push_back(X[4 + alpha] - rate);
  }
  CHECK(all_vanish(residuals));
}

TEST_CASE("BMZ-19: the sleigh's momenta p1 (about the contact) and p2 (along the blade)") {
  const System sleigh = load_model("chaplygin-sleigh");
  const EquationsOfMotion equations = bracket_equations(sleigh);
  CHECK(has_rate(sleigh, equations, "p_omega", "-a*p_omega*p_u/(J + m*a^2)"));
  CHECK(has_rate(sleigh, equations, "p_u", "m*a*p_omega^2/(J + m*a^2)^2"));
}

TEST_CASE("BMZ-heisenberg, BMZ-subriem: straight lines by d'Alembert, circles by the variational principle") {
  const auto integrator = [](const std::string& mass) {
    return read_model("lagrangian = \"1/2*(x'^2 + y'^2" + mass +
                          ")\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n" +
                          "parameters = { eps = 1 }\nconstraints = { c = \"z' = x*y' - y*x'\" }\n"
                          "velocities = { u = \"x'\", v = \"y'\" }\n",
                      "integrator");
  };
  const System heavy = integrator(" + eps*z'^2"), light = integrator("");
  for (const Expr rate : hamel_equations(heavy).speed_rates) CHECK(proved(is_zero(rate)));
  const EquationsOfMotion circles = vakonomic_equations(light);
  CHECK(all_vanish(variational_residuals(light, circles)));
  CHECK(has_rate(light, circles, "mu_c", "0"));
  CHECK(proved(is_zero(formula(light, circles, "u") * circles.rate("u") +
                       formula(light, circles, "v") * circles.rate("v"))));
  CHECK(proved(are_equal(pow(circles.rate("u"), 2) + pow(circles.rate("v"), 2),
                         formula(light, circles, "4*mu_c^2*(u^2 + v^2)"))));  // angular speed 2 p_z
}

TEST_CASE("BMZ-14: p_b' = C_ab^c p_c Om^a + lambda a_b, lambda = -K <I^-1 a, f> with K = 1/<a, I^-1 a>") {
  for (const char* name : {"suslov-algebra", "chaplygin-sleigh-algebra", "gl2-suslov"}) {
    CAPTURE(name);
    const System s = load_model(name);
    const Space& g = s.space;
    const int n = g.dimension();
    const EquationsOfMotion e = hamel_equations(s);
    const std::vector<Expr> p = gradient(s.lagrangian, g.velocities()),
                            a = gradient(s.constraints[0].expression, g.velocities());
    Matrix f(n, 1);
    for (int b = 0; b < n; ++b) {
      for (int i = 0; i < n; ++i) {
        for (int c = 0; c < n; ++c)
          f[b] += g.c()(i, b, c) * p[static_cast<std::size_t>(c)] *
                  Expr(g.velocities()[static_cast<std::size_t>(i)]);
      }
    }
    const Matrix I = jacobian(p, g.velocities()), Ia = inverse(I).x * Matrix::column(a);
    const Expr lambda = -dot(Ia, f) / dot(Matrix::column(a), Ia);
    std::vector<Expr> right, without;
    for (int b = 0; b < n; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const Expr rate = derivative_along(substitute(p[at], e.velocities), motion_of(s, e));
      right.push_back(rate - substitute(f[b] + lambda * a[at], e.velocities));
      without.push_back(rate - substitute(f[b] - lambda * a[at], e.velocities));
    }
    CHECK(all_vanish(right));
    CHECK(some_do_not_vanish(without));
  }
}
