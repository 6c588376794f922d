// L. C. García-Naranjo, lecture notes on nonholonomic systems, sections 5 and 6: Hamel's equations, the almost-Poisson
// bracket. The names of the tests carry the notes' equation numbers; misprints are corrected and named.
#include <doctest/doctest.h>

#include <rattleback/geometry/distribution.hpp>
#include <rattleback/geometry/frame.hpp>
#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/hamel.hpp>
#include <rattleback/motion/symmetry/body_axes.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

/// Four coordinates, a curved metric with abstract coefficients, two constraints and a potential.
System generic() {
  return read_model(R"toml(
lagrangian = "1/2*((1 + F(q1, q4)^2)*q1'^2 + q2'^2 + (2 + sin(q1))*q3'^2 + q4'^2) + F(q1, q4)*q1'*q4' + q2*q2'*q3' - V(q1, q2, q3, q4)"
space = { q1 = "R", q2 = "R", q3 = "R", q4 = "R" }
functions = { F = ["q1", "q4"], V = ["q1", "q2", "q3", "q4"], A = ["q1", "q2"] }
constraints = { first = "q3' = A(q1, q2)*q1' + q4*q2'", second = "q4' = q3*q1' - q1*q2'" }
)toml",
                    "generic");
}

/// A frame in which nothing is orthogonal: the model's D and a complement that is not D-perp.
Frame adapted(const System& system, const Admissible& D, const std::vector<int>& complement) {
  std::vector<VectorField> legs;
  for (int a = 0; a < D.rank(); ++a) legs.push_back(D.leg(a));
  for (const int i : complement) legs.push_back(VectorField::leg(system.space, i));
  return Frame(legs);
}

std::vector<Symbol> speeds(int n) {
  std::vector<Symbol> all;
  for (int i = 1; i <= n; ++i)
    all.push_back(Symbol::make("w" + std::to_string(i), {.role = Role::velocity, .order = i}));
  return all;
}

/// E_i(L) in the frame of the space, for arbitrary accelerations.
std::vector<Expr> hamel_operator(const System& system) {
  const Space& Q = system.space;
  const std::vector<Expr> p = gradient(system.lagrangian, Q.velocities());
  std::vector<Expr> E;
  for (int i = 0; i < Q.dimension(); ++i) {
    std::vector<Expr> terms{Q.total_rate(p[static_cast<std::size_t>(i)]),
                            -Q.derivative(i, system.lagrangian)};
    for (int l = 0; l < Q.dimension(); ++l) {
      for (int m = 0; m < Q.dimension(); ++m)
        terms.push_back(Q.c()(i, l, m) * Q.velocities()[static_cast<std::size_t>(l)] *
                        p[static_cast<std::size_t>(m)]);
    }
    E.push_back(sum(terms));
  }
  return E;
}

Matrix metric(const System& system) {
  return jacobian(gradient(system.lagrangian, system.space.velocities()), system.space.velocities());
}

}  // namespace

TEST_CASE(
    "GN-5.1-frames, GN-5.3-rowcol: rho and sigma are inverse; columns of rho are the frame (printed: rows)") {
  const System system = generic();
  const Frame e = adapted(system, admissible_velocities(system), {2, 3});
  const Matrix rho = as_columns(system.space, e.fields());
  const Matrix one = e.dual_matrix() * rho;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) CHECK(proved(are_equal(one(i, j), Expr(i == j ? 1 : 0))));
  }
}

TEST_CASE("GN-5.C: C_il^m = -sigma_j^m (d_k rho_i^j rho_l^k - d_k rho_l^j rho_i^k)") {
  const System system = generic();
  const Frame e = adapted(system, admissible_velocities(system), {2, 3});
  const StructureCoefficients c = structure_coefficients(e);
  std::vector<Expr> difference;
  for (int i = 0; i < 4; ++i) {
    for (int l = 0; l < 4; ++l) {
      for (int m = 0; m < 4; ++m) {
        Expr right = 0;
        for (int j = 0; j < 4; ++j) right -= e.dual_matrix()(m, j) * (e[l](e[i][j]) - e[i](e[l][j]));
        difference.push_back(c(i, l, m) - right);
      }
    }
  }
  CHECK(all_vanish(difference));
}

TEST_CASE("GN-5-commuting: coordinates have no structure coefficients, the sleigh's frame has") {
  const System sleigh = load_model("chaplygin-sleigh");
  CHECK(sleigh.space.c().all_zero());
  const Frame e = adapted(sleigh, admissible_velocities(sleigh), {1});
  CHECK_FALSE(structure_coefficients(e).all_zero());
}

TEST_CASE(
    "GN-5.4, GN-5.5, GN-5.7-hamel: Hamel's operator is Lagrange's, leg by leg, for arbitrary accelerations") {
  for (const System& system : {generic(), load_model("chaplygin-sleigh")}) {
    const Admissible D = admissible_velocities(system);
    const Frame e =
        adapted(system, D, system.space.dimension() == 3 ? std::vector<int>{1} : std::vector<int>{2, 3});
    const std::vector<Symbol> w = speeds(system.space.dimension());
    const System turned = in_frame(system, e, w);
    // q' and q'' in the quasi-velocities and their rates.
    const Matrix rho = as_columns(system.space, e.fields());
    std::vector<Expr> ws(w.begin(), w.end());
    const Matrix v = rho * Matrix::column(ws);
    SymbolMap change;
    for (int i = 0; i < v.rows(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      change.emplace(system.space.velocities()[k], v[i]);
      change.emplace(system.space.accelerations()[k], turned.space.total_rate(v[i]));
    }
    // (5.4): ∂L̃/∂w^a = ρ_a^k ∂L/∂q̇^k.
    const std::vector<Expr> p = gradient(turned.lagrangian, w);
    const Matrix P =
        Matrix::column(substitute(gradient(system.lagrangian, system.space.velocities()), change));
    for (int a = 0; a < v.rows(); ++a)
      CHECK(proved(are_equal(p[static_cast<std::size_t>(a)], dot(P, rho.column(a)))));
    const Matrix lagrange = Matrix::column(substitute(hamel_operator(system), change));
    const std::vector<Expr> hamel = hamel_operator(turned);
    for (int a = 0; a < v.rows(); ++a) {
      const Expr projected = dot(lagrange, rho.column(a));
      CHECK(proved(are_equal(hamel[static_cast<std::size_t>(a)], projected)));
      CHECK(refuted(are_equal(hamel[static_cast<std::size_t>(a)], projected + w[0] * w[0])));
      // (5.5), before (5.6) and the first relation of (5.4) turn it into (5.7).
      Expr chain = turned.space.total_rate(p[static_cast<std::size_t>(a)]) - e[a](turned.lagrangian);
      for (int j = 0; j < v.rows(); ++j) {
        for (int l = 0; l < v.rows(); ++l)
          chain -= P[j] * (e[l](rho(j, a)) - e[a](rho(j, l))) * w[static_cast<std::size_t>(l)];
      }
      CHECK(proved(are_equal(chain, projected)));
    }
  }
}

TEST_CASE(
    "GN-5-eulertop: the left-invariant frame of SO(3) has C = +eps, and Hamel's equations are Euler's") {
  const System top = load_model("euler-top");
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) CHECK(top.space.c()(i, j, k) == Expr((i - j) * (j - k) * (k - i) / 2));
    }
  }
  const EquationsOfMotion equations = hamel_equations(top);
  CHECK(has_rate(top, equations, "Omega1", "(I2 - I3)*Omega2*Omega3/I1"));
  CHECK(has_rate(top, equations, "Omega2", "(I3 - I1)*Omega3*Omega1/I2"));
  CHECK(has_rate(top, equations, "Omega3", "(I1 - I2)*Omega1*Omega2/I3"));
  CHECK_FALSE(has_rate(top, equations, "Omega3", "(I2 - I1)*Omega1*Omega2/I3"));  // the right-invariant sign
}

TEST_CASE("GN-5.11: before the restriction to D, [X_al, Y_a] u^a adds to the equations along D") {
  const System system = generic();
  const Frame e = adapted(system, admissible_velocities(system), {2, 3});
  const std::vector<Symbol> w = speeds(4);  // v^1, v^2 along D, u^1, u^2 along the complement
  const System turned = in_frame(system, e, w);
  const std::vector<Expr> p = gradient(turned.lagrangian, w);
  const std::vector<Expr> hamel =
      hamel_operator(turned);  // minus the reaction, which has no component along D
  std::vector<Expr> with, without;
  for (int alpha = 0; alpha < 2; ++alpha) {
    const auto al = static_cast<std::size_t>(alpha);
    Expr along_D = turned.space.total_rate(p[al]) - e[alpha](turned.lagrangian), across = 0;
    for (int l = 0; l < 4; ++l) {
      for (int m = 0; m < 4; ++m)
        (l < 2 ? along_D : across) +=
            turned.space.c()(alpha, l, m) * w[static_cast<std::size_t>(l)] * p[static_cast<std::size_t>(m)];
    }
    with.push_back(along_D + across - hamel[al]);
    without.push_back(along_D - hamel[al]);
  }
  CHECK(all_vanish(with));
  CHECK(some_do_not_vanish(without));
}

TEST_CASE("GN-5.13: an arbitrary complement; the momenta along it stay in the equations") {
  const System system = generic();
  const Admissible D = admissible_velocities(system);
  const Frame e = adapted(system, D, {2, 3});
  const std::vector<Symbol> w = speeds(4);
  const System turned = in_frame(system, e, w);
  const EquationsOfMotion equations = hamel_equations(system);
  const SymbolMap rest{
      {w[0], Expr(D.speeds[0])}, {w[1], Expr(D.speeds[1])}, {w[2], Expr(0)}, {w[3], Expr(0)}};
  const std::vector<Expr> p = substitute(gradient(turned.lagrangian, w), rest);
  const Expr ell = substitute(turned.lagrangian, rest);
  const SymbolMap along = motion_of(system, equations);
  std::vector<Expr> with, without;
  for (int alpha = 0; alpha < 2; ++alpha) {
    Expr equation = derivative_along(derivative(ell, D.speeds[static_cast<std::size_t>(alpha)]), along) -
                    D.leg(alpha)(ell);
    Expr complement = 0;
    for (int beta = 0; beta < 2; ++beta) {
      for (int m = 0; m < 4; ++m) {
        const Expr term = turned.space.c()(alpha, beta, m) * D.speeds[static_cast<std::size_t>(beta)] *
                          p[static_cast<std::size_t>(m)];
        equation += term;
        if (m >= 2) complement += term;
      }
    }
    with.push_back(equation);
    without.push_back(equation - complement);
  }
  CHECK(all_vanish(with));
  CHECK(some_do_not_vanish(without));
}

TEST_CASE("GN-5.14: with the projection along D-perp the constrained Lagrangian is enough") {
  for (const System& system : {generic(), load_model("chaplygin-sleigh"), load_model("vertical-disk")}) {
    const Admissible D = admissible_velocities(system);
    const StructureCoefficients c = constrained_structure_coefficients(system, D);
    const Expr ell = substitute(system.lagrangian, D.substitution());
    const EquationsOfMotion equations = hamel_equations(system);
    const SymbolMap along = motion_of(system, equations);
    std::vector<Expr> residuals;
    for (int alpha = 0; alpha < D.rank(); ++alpha) {
      Expr e = derivative_along(derivative(ell, D.speeds[static_cast<std::size_t>(alpha)]), along) -
               D.leg(alpha)(ell);
      for (int beta = 0; beta < D.rank(); ++beta) {
        for (int g = 0; g < D.rank(); ++g)
          e += c(alpha, beta, g) * D.speeds[static_cast<std::size_t>(beta)] *
               derivative(ell, D.speeds[static_cast<std::size_t>(g)]);
      }
      residuals.push_back(e);
    }
    CHECK(all_vanish(residuals));
    CHECK(all_vanish(dalembert_residuals(system, equations)));
  }
}

TEST_CASE("GN-5.2-blockdiag, GN-5.3-Y: the metric is block diagonal iff the complement is D-perp") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Matrix A = metric(sleigh);
  const Admissible D = admissible_velocities(sleigh);
  const Scope& s = sleigh.scope;
  const Matrix perp{{parse("sin(theta)", s)}, {parse("-cos(theta)", s)}, {parse("m*a/(J + m*a^2)", s)}};
  const Matrix other{{Expr(0)}, {Expr(1)}, {Expr(0)}};
  const Matrix block = transpose(D.psi) * A * perp, no_block = transpose(D.psi) * A * other;
  CHECK(all_vanish({block[0], block[1]}));
  CHECK(some_do_not_vanish({no_block[0], no_block[1]}));
}

TEST_CASE("GN-5.3-C: [X1, X2] = Y - ma/(J + ma^2) X2 for the sleigh, C_12^1 = 0, C_12^2 = -ma/(J + ma^2)") {
  const System sleigh = load_model("chaplygin-sleigh");
  const StructureCoefficients c = constrained_structure_coefficients(sleigh, admissible_velocities(sleigh));
  CHECK(proved(is_zero(c(0, 1, 0))));
  CHECK(proved(are_equal(c(0, 1, 1), parse("-m*a/(J + m*a^2)", sleigh.scope))));
  const Admissible D = admissible_velocities(sleigh);
  const VectorField X = bracket(D.leg(0), D.leg(1)), d_theta = D.leg(1);
  const auto is = [&](int i, const char* text) { return proved(are_equal(X[i], parse(text, sleigh.scope))); };
  CHECK((is(0, "sin(theta)") && is(1, "-cos(theta)") && is(2, "0")));
  // Y = [X1, X2] + ma/(J + ma²) X2 is the field of section 5.3, orthogonal to D.
  const Matrix Y = Matrix::column((X + parse("m*a/(J + m*a^2)", sleigh.scope) * d_theta).coefficients());
  const Matrix block = transpose(D.psi) * metric(sleigh) * Y;
  CHECK(all_vanish({block[0], block[1], Y[2] - parse("m*a/(J + m*a^2)", sleigh.scope)}));
}

TEST_CASE("GN-5.2-E, GN-5.3-E: E = span{X_a, d/dv^a} has rank 2r (printed: r) and is involutive iff D is") {
  const auto lifted = [](const std::string& model) {
    const System system = load_model(model);
    const Admissible D = admissible_velocities(system);
    const Space total = system.space * Space::chart(D.speeds);
    std::vector<VectorField> fields;
    for (int a = 0; a < D.rank(); ++a) {
      VectorField X(total);
      for (int i = 0; i < system.space.dimension(); ++i) X[i] = D.psi(i, a);
      fields.push_back(X);
      fields.push_back(VectorField::leg(total, system.space.dimension() + a));
    }
    return Distribution::spanned_by(total, fields);
  };
  CHECK(lifted("chaplygin-sleigh").rank() == 4);
  CHECK(refuted(is_involutive(lifted("chaplygin-sleigh"))));
  CHECK(lifted("planar-pendulum").rank() == 2);
  CHECK(proved(is_involutive(lifted("planar-pendulum"))));
}

TEST_CASE("GN-5.2-second-order, GN-5.2-Ec: X_nh is second order on D and conserves E_c") {
  for (const System& system : {generic(), load_model("falling-disk")}) {
    const EquationsOfMotion equations = hamel_equations(system);
    CHECK(all_vanish(constraint_residuals(system, equations)));
    const Expr ell = substitute(system.lagrangian, equations.velocities);
    Expr E = -ell;
    for (const Symbol z : equations.speeds) E += z * derivative(ell, z);
    CHECK(proved(is_zero(derivative_along(E, motion_of(system, equations)))));
  }
}

TEST_CASE(
    "GN-6-p, GN-6-Hc, GN-6-hameq, GN-7-general: momenta, H_c and Hamilton's equations on D (alpha = 1..r)") {
  for (const System& system : {generic(), load_model("chaplygin-sleigh"), load_model("planar-pendulum"),
                               load_model("vertical-disk")}) {
    const Admissible D = admissible_velocities(system);
    const ConstrainedBracket b = constrained_bracket(system, D);
    const StructureCoefficients c = constrained_structure_coefficients(system, D);
    const EquationsOfMotion equations = bracket_equations(system);
    CHECK(b.momenta.size() == static_cast<std::size_t>(D.rank()));
    std::vector<Expr> residuals;
    for (int alpha = 0; alpha < D.rank(); ++alpha) {
      const auto al = static_cast<std::size_t>(alpha);
      residuals.push_back(derivative(b.hamiltonian, b.momenta[al]) - b.speeds[al]);
      // ṗ_α = −ρ_α^i ∂H/∂q^i − C_αβ^γ p_γ ∂H/∂p_β; section 7.1 prints ∂H/∂p_γ.
      Expr rate = -D.leg(alpha)(b.hamiltonian);
      for (int beta = 0; beta < D.rank(); ++beta) {
        for (int g = 0; g < D.rank(); ++g)
          rate -= c(alpha, beta, g) * b.momenta[static_cast<std::size_t>(g)] *
                  derivative(b.hamiltonian, b.momenta[static_cast<std::size_t>(beta)]);
      }
      residuals.push_back(rate - equations.speed_rates[al]);
    }
    CHECK(all_vanish(residuals));
  }
}

TEST_CASE(
    "GN-6-pi, GN-6-bracket, GN-6.2-matrix, GN-6.2-null, GN-6.2-range, GN-6.1-span: the sleigh's 5x5 matrix") {
  const System sleigh = load_model("chaplygin-sleigh");
  const ConstrainedBracket b = constrained_bracket(sleigh, admissible_velocities(sleigh));
  Scope scope = sleigh.scope;
  for (const Symbol p : b.momenta) scope.define(p.name(), Expr(p));
  const auto entry = [&](int i, int j, const std::string& text) {
    return proved(are_equal(b.tensor(i, j), parse(text, scope)));
  };
  CHECK(entry(0, 3, "cos(theta)"));
  CHECK(entry(1, 3, "sin(theta)"));
  CHECK(entry(2, 4, "1"));
  CHECK(entry(3, 4, "m*a*p_omega/(J + m*a^2)"));
  for (const auto& [i, j] : std::vector<std::pair<int, int>>{{0, 1}, {0, 2}, {1, 2}, {0, 4}, {1, 4}, {2, 3}})
    CHECK(entry(i, j, "0"));
  CHECK(rank(b.tensor) == 4);
  // The null form is −sin θ dx + cos θ dy; section 6.2 prints + sin θ dx.
  const Matrix null = b.tensor.components() *
                      Matrix{{parse("-sin(theta)", scope)}, {parse("cos(theta)", scope)}, {0}, {0}, {0}};
  const Matrix printed = b.tensor.components() *
                         Matrix{{parse("sin(theta)", scope)}, {parse("cos(theta)", scope)}, {0}, {0}, {0}};
  CHECK(all_vanish({null.entries().begin(), null.entries().end()}));
  CHECK(some_do_not_vanish({printed.entries().begin(), printed.entries().end()}));
  // Its columns span F = {w : the q-part of w lies in D}: they lie in it, and there are as many as its rank.
  for (int j = 0; j < 5; ++j)
    CHECK(proved(
        is_zero(parse("-sin(theta)", scope) * b.tensor(0, j) + parse("cos(theta)", scope) * b.tensor(1, j))));
}

TEST_CASE("GN-6.2-eqs: the sleigh's equations in momenta") {
  const System sleigh = load_model("chaplygin-sleigh");
  const EquationsOfMotion equations = bracket_equations(sleigh);
  CHECK(has_rate(sleigh, equations, "p_u", "m*a*p_omega^2/(J + m*a^2)^2"));
  CHECK(has_rate(sleigh, equations, "p_omega", "-a*p_u*p_omega/(J + m*a^2)"));
}

TEST_CASE(
    "GN-6.1-M, GN-6-tau, GN-6.1-iii: D* in T*Q; i_X Omega = dH_c on F, and the motion is tangent to D") {
  const System system = generic();
  const Admissible D = admissible_velocities(system);
  const ConstrainedBracket b = constrained_bracket(system, D);
  // P = A X A_D^-1 p and p_α = X_α^i P_i.
  const Matrix P = Matrix::column(b.embedding);
  for (int alpha = 0; alpha < D.rank(); ++alpha)
    CHECK(proved(are_equal(dot(P, D.psi.column(alpha)), b.momenta[static_cast<std::size_t>(alpha)])));
  // Ω(X_nh, w) − dH_c(w) for w in F: the q-part of w is X_α, Ω = dq ∧ dP.
  const VectorField X = motion(b);
  std::vector<Expr> residuals;
  const int n = system.space.dimension();
  std::vector<Expr> P_dot;
  for (const Expr e : b.embedding) P_dot.push_back(X(e));
  for (int k = 0; k < 2 * D.rank(); ++k) {
    VectorField w(b.tensor.space());
    if (k < D.rank()) {
      for (int i = 0; i < n; ++i) w[i] = D.psi(i, k);
    } else {
      w[n + k - D.rank()] = 1;
    }
    Expr omega = 0;
    for (int i = 0; i < n; ++i)
      omega += X[i] * w(b.embedding[static_cast<std::size_t>(i)]) - w[i] * P_dot[static_cast<std::size_t>(i)];
    residuals.push_back(omega - w(b.hamiltonian));
  }
  CHECK(all_vanish(residuals));
}

TEST_CASE(
    "GN-6.1-symplectic, GN-6.1-intrinsic: dq^dP is nondegenerate on F, and its inverse is the bracket") {
  const System system = generic();
  const Admissible D = admissible_velocities(system);
  const ConstrainedBracket b = constrained_bracket(system, D);
  const int n = system.space.dimension(), r = D.rank();
  std::vector<VectorField> F;
  for (int a = 0; a < r; ++a) {
    VectorField w(b.tensor.space());
    for (int i = 0; i < n; ++i) w[i] = D.psi(i, a);
    F.push_back(w);
  }
  for (int a = 0; a < r; ++a) F.push_back(VectorField::leg(b.tensor.space(), n + a));
  const int m = static_cast<int>(F.size());
  Matrix omega(m, m);
  for (int k = 0; k < m; ++k) {
    for (int l = 0; l < m; ++l) {
      for (int i = 0; i < n; ++i) {
        const Expr P = b.embedding[static_cast<std::size_t>(i)];
        omega(k, l) += F[static_cast<std::size_t>(k)][i] * F[static_cast<std::size_t>(l)](P) -
                       F[static_cast<std::size_t>(l)][i] * F[static_cast<std::size_t>(k)](P);
      }
    }
  }
  CHECK(rank(omega) == m);
  std::vector<Expr> functions(b.momenta.begin(), b.momenta.end());
  for (const Symbol q : system.space.functions()) functions.push_back(q);
  for (const Expr f : functions) {
    Matrix df(m, 1);
    for (int k = 0; k < m; ++k) df[k] = F[static_cast<std::size_t>(k)](f);
    const auto X_f = solve(transpose(omega), df);  // Ω(X_f, w) = df(w) for w in F
    REQUIRE(X_f);
    for (const Expr g : functions) {
      Expr along = 0;
      for (int k = 0; k < m; ++k) along += X_f->x[k] * F[static_cast<std::size_t>(k)](g);
      CHECK(proved(are_equal(along, bracket(b.tensor, g, f))));
    }
  }
}

TEST_CASE("GN-6.1-exercise: X_f[g] = {g, f}; with the printed sign the energy's field runs backwards") {
  const System sleigh = load_model("chaplygin-sleigh");
  const ConstrainedBracket b = constrained_bracket(sleigh, admissible_velocities(sleigh));
  const Expr g = b.momenta[0];
  const Expr rate = motion(b)(g);
  CHECK(proved(
      are_equal(hamiltonian_vector_field(b.tensor, b.hamiltonian)(g), bracket(b.tensor, g, b.hamiltonian))));
  CHECK(proved(are_equal(rate, bracket(b.tensor, g, b.hamiltonian))));
  CHECK(refuted(are_equal(rate, bracket(b.tensor, b.hamiltonian, g))));
}

TEST_CASE("GN-6-jacobi: Jacobi iff holonomic") {
  const auto poisson = [](const System& system) {
    return satisfies_jacobi(constrained_bracket(system, admissible_velocities(system)).tensor);
  };
  CHECK(proved(poisson(load_model("planar-pendulum"))));
  CHECK(refuted(poisson(load_model("chaplygin-sleigh"))));
  CHECK(refuted(poisson(load_model("vertical-disk"))));
  CHECK(refuted(poisson(generic())));
}

TEST_CASE(
    "GN-6.1-dirac: for the pendulum the bracket is Dirac's, with x^2 + y^2 and x px + y py of second class") {
  const System pendulum = load_model("planar-pendulum");
  const ConstrainedBracket b = constrained_bracket(pendulum, admissible_velocities(pendulum));
  const auto q = pendulum.space.functions();
  const Expr x = q[0], y = q[1];
  // {f, g}_Dirac = {f, g} − {f, φ_a} c^ab {φ_b, g}: {x, P_x} = y²/(x²+y²), {x, P_y} = −x y/(x²+y²), {P_x, P_y} = (y P_x − x P_y)/(x²+y²).
  const Expr r2 = x * x + y * y, Px = b.embedding[0], Py = b.embedding[1];
  CHECK(proved(are_equal(bracket(b.tensor, x, Px), y * y / r2)));
  CHECK(proved(are_equal(bracket(b.tensor, x, Py), -(x * y) / r2)));
  CHECK(proved(are_equal(bracket(b.tensor, Px, Py), (y * Px - x * Py) / r2)));
}
