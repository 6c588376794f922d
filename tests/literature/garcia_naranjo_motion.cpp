// García-Naranjo's notes, sections 1, 3 and 4, and what follows from them: the classical forms of the examples, with the
// misprints of the source corrected and named.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/formalism.hpp>
#include <rattleback/motion/forms/linearisation.hpp>
#include <rattleback/motion/forms/multipliers.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

Expr in(const System& system, const std::string& text) { return parse(text, system.scope); }

/// d/dt of a function of the configuration and the velocities, with x'', … as accelerations.
Expr total_rate(const System& system, const std::string& text) {
  return system.space.total_rate(in(system, text));
}

/// d/dt ∂L/∂v^i − X_i L for coordinates, with free accelerations.
Expr lagrange_operator(const System& system, int i) {
  const Symbol v = system.space.velocities()[static_cast<std::size_t>(i)];
  return system.space.total_rate(derivative(system.lagrangian, v)) -
         system.space.derivative(i, system.lagrangian);
}

Expr acceleration(const System& system, int i) {
  return system.space.accelerations()[static_cast<std::size_t>(i)];
}

Matrix vector(const System& system, const std::string& text) {
  return std::get<Matrix>(parse_value(text, system.scope));
}

/// The rate of a vector of the model along the motion.
Matrix rate_of(const System& system, const EquationsOfMotion& motion, const Matrix& v) {
  return derivative_along(substitute(v, motion.velocities), motion_of(system, motion));
}

bool equal(const EquationsOfMotion& motion, const Matrix& a, const Matrix& b) {
  const Matrix difference = substitute(a - b, motion.velocities);
  return all_vanish({difference.entries().begin(), difference.entries().end()});
}

}  // namespace

TEST_CASE(
    "GN-1.1-sleigh-L: the Lagrangian of the sleigh is that of its mass centre at distance a and its spin") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Expr vx = sleigh.space.rate(in(sleigh, "x + a*cos(theta)")),
             vy = sleigh.space.rate(in(sleigh, "y + a*sin(theta)"));
  const Expr energy = in(sleigh, "m/2") * (vx * vx + vy * vy) + in(sleigh, "J/2*theta'^2");
  CHECK(proved(are_equal(energy, sleigh.lagrangian)));
  CHECK(refuted(
      are_equal(energy + in(sleigh, "m*a^2/2*theta'^2"), sleigh.lagrangian)));  // J is about the mass centre
}

TEST_CASE(
    "GN-3.4-sleigh-theta, GN-3.4-sleigh-x, GN-3.4-sleigh-y: Lagrange's operator, two misprints corrected") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Expr x2 = acceleration(sleigh, 0), y2 = acceleration(sleigh, 1), t2 = acceleration(sleigh, 2);
  const Expr side = total_rate(sleigh, "cos(theta)*y' - sin(theta)*x'");
  const Expr rest = in(sleigh, "J + m*a^2") * t2 + in(sleigh, "m*a*theta'*(sin(theta)*y' + cos(theta)*x')");
  CHECK(proved(are_equal(lagrange_operator(sleigh, 2), rest + in(sleigh, "m*a") * side)));
  CHECK(refuted(are_equal(lagrange_operator(sleigh, 2), rest + side)));  // as printed, without m a
  CHECK(proved(are_equal(lagrange_operator(sleigh, 0),
                         in(sleigh, "m") * x2 - total_rate(sleigh, "m*a*theta'*sin(theta)"))));
  const Expr turn = total_rate(sleigh, "m*a*theta'*cos(theta)");
  CHECK(proved(are_equal(lagrange_operator(sleigh, 1), in(sleigh, "m") * y2 + turn)));
  CHECK(refuted(are_equal(lagrange_operator(sleigh, 1), in(sleigh, "m") * y2 - turn)));  // as printed
}

TEST_CASE(
    "GN-3.2, GN-3.3, GN-3.4, GN-3.5: lambda = (b A^-1 b^T)^-1 (b A^-1 (eta + V') - gamma), and R = b^T "
    "lambda") {
  for (const char* name : {"chaplygin-sleigh", "knife-edge-incline", "vertical-disk"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const ConstrainedMotion motion = constrained_motion(system);
    const auto v = system.space.velocities();
    const int n = system.space.dimension();
    const Matrix A = jacobian(gradient(system.lagrangian, v), v);
    // (3.4): η_i + V'_i is Lagrange's operator where the accelerations vanish.
    SymbolMap rest;
    for (const Symbol a : system.space.accelerations()) rest.emplace(a, Expr(0));
    Matrix eta(n, 1);
    for (int i = 0; i < n; ++i) eta[i] = substitute(lagrange_operator(system, i), rest);
    // (3.3): β q̈ + γ = 0.
    std::vector<Expr> functions, gamma;
    for (const Constraint& c : system.constraints) {
      functions.push_back(c.expression);
      gamma.push_back(substitute(system.space.total_rate(c.expression), rest));
    }
    const Matrix beta = jacobian(functions, v);
    const Matrix inverse_A = inverse(A).x;
    const Matrix lambda =
        inverse(beta * inverse_A * transpose(beta)).x * (beta * inverse_A * eta - Matrix::column(gamma));
    const auto difference = (lambda - motion.multipliers).entries();
    CHECK(all_vanish({difference.begin(), difference.end()}));
    // (3.2): A q̈ + η + V' = βᵀ λ.
    const auto balance = (A * motion.accelerations + eta - transpose(beta) * lambda).entries();
    CHECK(all_vanish({balance.begin(), balance.end()}));
  }
}

TEST_CASE("GN-ex-sleigh-hamel: u' = a omega^2, (J + m a^2) omega' = -m a u omega") {
  const System sleigh = load_model("chaplygin-sleigh");
  const EquationsOfMotion hamel = formalism("hamel").derive(sleigh);
  CHECK(has_rate(sleigh, hamel, "u", "a*omega^2"));
  CHECK(has_rate(sleigh, hamel, "omega", "-m*a*u*omega/(J + m*a^2)"));
  CHECK(has_rate(sleigh, hamel, "x", "u*cos(theta)"));
  CHECK(has_rate(sleigh, hamel, "y", "u*sin(theta)"));
}

TEST_CASE(
    "BMZ-19-eq: the sleigh's steady motions have eigenvalues 0 and -m a u/(J + m a^2): stable forwards "
    "only") {
  const System sleigh = load_model("chaplygin-sleigh");
  const Linearisation small = linearisation(sleigh, {{"u", "s"}});
  const Matrix A = state_matrix(small);
  REQUIRE(A.rows() == 2);
  CHECK(A(0, 0).is_zero());
  CHECK(A(0, 1).is_zero());
  CHECK(A(1, 0).is_zero());
  Scope scope = sleigh.scope;
  scope.define("s", symbol("s"));
  CHECK(proved(are_equal(A(1, 1), parse("-m*a*s/(J + m*a^2)", scope))));
}

TEST_CASE("GN-4-euler: a free body has I Omega' = (I Omega) x Omega, and its momentum is constant in space") {
  const System top = load_model("euler-top");
  const EquationsOfMotion motion = straight_line_equations(top);
  const auto velocities = top.space.velocities();
  const Matrix M = Matrix::column(gradient(top.lagrangian, velocities));
  const Matrix Omega = Matrix::column(std::vector<Expr>(velocities.begin(), velocities.end()));
  CHECK(equal(motion, rate_of(top, motion, M), cross(M, Omega)));
  const Matrix in_space = top.space.factors().front().rotation() * M;
  CHECK(equal(motion, rate_of(top, motion, in_space), Matrix(3, 1)));
  CHECK_FALSE(equal(motion, rate_of(top, motion, M), cross(Omega, M)));
}

TEST_CASE("GN-4.1-suslov-lambda, GN-4.3: the Suslov problem") {
  const System suslov = load_model("suslov");
  const EquationsOfMotion motion = formalism("multipliers").derive(suslov);
  const Matrix I = vector(suslov, "inertia"), Omega = vector(suslov, "Omega"), a = vector(suslov, "e3");
  const Matrix torque = cross(I * Omega, Omega), Ia = inverse(I).x * a;
  const Expr lambda = -dot(torque, Ia) / dot(a, Ia);
  REQUIRE(motion.multipliers.size() == 1);
  const SymbolMap on_constraint{{suslov.space.velocities()[2], Expr(0)}};
  CHECK(proved(
      are_equal(substitute(motion.multipliers[0].value, on_constraint), substitute(lambda, on_constraint))));
  const EquationsOfMotion hamel = formalism("hamel").derive(suslov);
  CHECK(has_rate(suslov, hamel, "w1", "-(I13*w1 + I23*w2)*w2/I11"));
  CHECK(has_rate(suslov, hamel, "w2", "(I13*w1 + I23*w2)*w1/I22"));
}

TEST_CASE(
    "GN-4.4, GN-4.6: gamma' = gamma x Omega and I Omega' = (I Omega) x Omega + lambda gamma for Veselova's "
    "system") {
  const System veselova = load_model("veselova");
  const EquationsOfMotion motion = straight_line_equations(veselova);
  const auto v = veselova.space.velocities();
  const Matrix Omega = Matrix::column(std::vector<Expr>(v.begin(), v.end()));
  const Matrix gamma = transpose(veselova.space.factors().front().rotation()) * unit_vector(2);
  CHECK(equal(motion, rate_of(veselova, motion, gamma), cross(gamma, Omega)));
  const Matrix M = Matrix::column(gradient(veselova.lagrangian, v)), I = jacobian(M.entries(), v);
  const Matrix torque = cross(M, Omega), Ig = inverse(I).x * gamma;
  const Expr lambda = -dot(torque, Ig) / dot(gamma, Ig);
  CHECK(equal(motion, rate_of(veselova, motion, M), torque + lambda * gamma));
  CHECK_FALSE(equal(motion, rate_of(veselova, motion, M), torque - lambda * gamma));
}

TEST_CASE(
    "GN-4.8, GN-4.9, GN-4.3-zdot, GN-4.3-K, GN-4.3-Omd: Chaplygin's top rolls with K' = K x Omega + ...") {
  const System top = load_model("routh-sphere");  // a sphere whose mass centre is off its centre
  const EquationsOfMotion motion = straight_line_equations(top);
  const Matrix Omega = vector(top, "Omega"), B = vector(top, "B"), rho = vector(top, "rho");
  const Matrix gamma = transpose(B) * unit_vector(2), I = vector(top, "diag(I1, I1, I3)");
  const Expr m = in(top, "m"), g = in(top, "g");
  CHECK(proved(are_equal(-dot(rho, gamma), in(top, "R + ell*B[3,3]"))));  // the height of the mass centre
  // u' = B (rho x Omega), and its third component is the rate of the height: that one is holonomic.
  const Matrix velocity = vector(top, "v");
  CHECK(equal(motion, velocity, B * cross(rho, Omega)));
  const Matrix rho_rate = rate_of(top, motion, rho), Omega_rate = rate_of(top, motion, Omega);
  const Matrix K = I * Omega + m * cross(rho, cross(Omega, rho));
  const Matrix right = cross(K, Omega) + m * cross(rho_rate, cross(Omega, rho)) + (m * g) * cross(rho, gamma);
  CHECK(equal(motion, rate_of(top, motion, K), right));
  CHECK_FALSE(equal(motion, rate_of(top, motion, K), cross(K, Omega) + (m * g) * cross(rho, gamma)));
  const Matrix long_form = cross(I * Omega, Omega) + m * cross(rho, cross(Omega, cross(rho, Omega))) +
                           m * cross(rho, cross(rho_rate, Omega)) + m * cross(rho, cross(rho, Omega_rate)) +
                           (m * g) * cross(rho, gamma);
  CHECK(equal(motion, I * Omega_rate, long_form));
}

TEST_CASE("GN-4.3-E: E = <K, Omega>/2 + m g ell gamma3 is conserved by Chaplygin's top") {
  const System top = load_model("routh-sphere");
  const EquationsOfMotion motion = straight_line_equations(top);
  const Matrix Omega = vector(top, "Omega"), rho = vector(top, "rho"), I = vector(top, "diag(I1, I1, I3)");
  const Matrix K = I * Omega + in(top, "m") * cross(rho, cross(Omega, rho));
  const Expr energy = dot(K, Omega) / 2 + in(top, "m*g*ell*B[3,3]");
  const auto rate = [&](Expr e) {
    return derivative_along(substitute(e, motion.velocities), motion_of(top, motion));
  };
  CHECK(all_vanish({rate(energy)}));
  CHECK(some_do_not_vanish({rate(dot(K, Omega) / 2)}));
}

TEST_CASE("GN-4.1-normalform: a turn about E3 makes I12 vanish and leaves the axis where it is") {
  const auto letter = [](const char* name) { return Expr(Symbol::make(name, {.role = Role::parameter})); };
  const Expr a = letter("I11"), b = letter("I22"), c = letter("I33"), d = letter("I12"), e = letter("I13"),
             f = letter("I23"), angle = letter("al");
  const Matrix I{{a, d, e}, {d, b, f}, {e, f, c}}, R = rotation_z(angle);
  const Matrix turned = R * I * transpose(R);
  // I12(al) = (I11 - I22)/2 sin 2al + I12 cos 2al, which has a zero: its signs at al and al + pi/2 are opposite.
  const auto I12 = [&](Expr al) { return (a - b) / 2 * sin(2 * al) + d * cos(2 * al); };
  CHECK(all_vanish({turned(0, 1) - I12(angle), I12(angle + pi() / 2) + I12(angle)}));
  CHECK(some_do_not_vanish({I12(angle)}));
  const Matrix axis = R * unit_vector(2) - unit_vector(2);
  CHECK(all_vanish({axis.entries().begin(), axis.entries().end()}));
}

TEST_CASE(
    "GN-4.1-portrait, GN-4.1-5d: Suslov's ellipses end on steady rotations, one attracting, one repelling") {
  const System suslov = load_model("suslov");
  const EquationsOfMotion motion = formalism("hamel").derive(suslov);
  const Symbol s = symbol("s").symbol();
  const SymbolMap steady{{motion.speeds[0], in(suslov, "I23") * s},
                         {motion.speeds[1], -in(suslov, "I13") * s}};
  CHECK(all_vanish(substitute(motion.speed_rates, steady)));
  const Expr E =
      formula(suslov, motion, "(I11*w1^2 + I22*w2^2)/2");  // an ellipse, and its antipodes lie on it
  const Expr level = substitute(E, steady);
  CHECK(all_vanish(
      {derivative_along(E, motion_of(suslov, motion)), level - substitute(level, {{s, -Expr(s)}})}));
  const Matrix J = substitute(jacobian(motion.speed_rates, motion.speeds), steady);
  const Expr trace = J(0, 0) + J(1, 1);  // the sign is that of s
  CHECK(all_vanish({trace - s * in(suslov, "I13^2/I11 + I23^2/I22"), determinant(J)}));
  // In D the steady rotations are periodic, B^(3) = -|Omega|^2 B^(1), with the trace for a divergence: no Hamiltonian flow.
  SymbolMap rates;
  for (std::size_t i = 0; i < motion.configuration.size(); ++i)
    rates.emplace(motion.configuration[i], substitute(motion.configuration_rates[i], steady));
  const Expr square = pow(Expr(s), 2) * in(suslov, "I13^2 + I23^2");
  for (const auto& [entry, rate] : rates)
    CHECK(all_vanish({derivative_along(derivative_along(rate, rates), rates) + square * rate}));
}

TEST_CASE("GN-4.3-R2: R2 = rho x B^-1 R1 is the moment about the mass centre of the force at the contact") {
  const System top = load_model("routh-sphere");
  const EquationsOfMotion motion = straight_line_equations(top);
  const Matrix Omega = vector(top, "Omega"), B = vector(top, "B"), rho = vector(top, "rho");
  const Matrix I = vector(top, "diag(I1, I1, I3)");
  const Matrix R1 = in(top, "m") * (rate_of(top, motion, vector(top, "v")) + in(top, "g") * unit_vector(2));
  const Matrix R2 = cross(rho, transpose(B) * R1), gain = I * rate_of(top, motion, Omega);
  CHECK(equal(motion, gain, cross(I * Omega, Omega) + R2));   // Euler's equations about the mass centre
  CHECK_FALSE(equal(motion, gain, cross(I * Omega, Omega)));  // its moment about the contact is zero
}

TEST_CASE("GN-4.3-baccab: a x (b x c) = <a, c> b - <a, b> c") {
  const auto letters = [](const std::string& name) {
    std::vector<Expr> v;
    for (int i = 1; i <= 3; ++i)
      v.emplace_back(Symbol::make(name + std::to_string(i), {.role = Role::parameter}));
    return Matrix::column(v);
  };
  const Matrix a = letters("a"), b = letters("b"), c = letters("c");
  const Matrix left = cross(a, cross(b, c)), right = dot(a, c) * b - dot(a, b) * c;
  const Matrix difference = left - right, mutant = left + right;
  CHECK(all_vanish({difference.entries().begin(), difference.entries().end()}));
  CHECK(some_do_not_vanish({mutant.entries().begin(), mutant.entries().end()}));
}

TEST_CASE("FE-5.16, FE-5.17, FE-5.18, FE-5.20: L_V = L - (dL/ds')(s' + A r') with its signs corrected") {
  // r1, r2, s with the metric diag(1, 1, g(r)) and s' + A1(r) r1' = 0: enough freedom to tell the signs apart.
  const System system = read_model(R"toml(
lagrangian = "1/2*(r1'^2 + r2'^2 + (1 + r2^2)*s'^2)"
[space]
r1 = "R"
r2 = "R"
s = "R"
[constraints]
slide = "s' + A(r2)*r1' = 0"
[functions]
A = ["r2"]
)toml",
                                   "bundle.toml");
  const auto v = system.space.velocities();
  const Expr phi = system.constraints[0].expression, momentum = derivative(system.lagrangian, v[2]);
  const Expr L_V = system.lagrangian - momentum * phi, metric = in(system, "1 + r2^2");
  const SymbolMap solved{{v[2], in(system, "-A(r2)*r1'")}};
  const Expr L_c = substitute(system.lagrangian, solved);
  const auto E = [&](Expr L, int i) {
    return system.space.total_rate(derivative(L, v[static_cast<std::size_t>(i)])) -
           system.space.derivative(i, L);
  };
  const Expr transport = system.space.total_rate(metric * phi);
  CHECK(proved(are_equal(derivative(L_V, v[2]), -metric * phi)));  // (5.20): printed with +
  CHECK(refuted(are_equal(derivative(L_V, v[2]), metric * phi)));
  CHECK(proved(are_equal(E(L_V, 2), -transport)));  // (5.16), (5.17): what L_V conserves
  // On the constraint, and where it stays satisfied, E_alpha(L_V) = E_alpha(L_c).
  const Symbol s2 = system.space.accelerations()[2];
  const Expr s_rate = system.space.total_rate(solved.at(v[2]));
  for (int alpha = 0; alpha < 2; ++alpha) {
    const Expr difference =
        substitute(substitute(E(L_V, alpha) - E(L_c, alpha), SymbolMap{{s2, s_rate}}), solved);
    CHECK(all_vanish({difference}));
  }
  const Matrix hessian = jacobian(gradient(L_V, v), v);
  CHECK(proved(are_equal(hessian(2, 2), -metric)));  // (5.18)
  const Matrix G = jacobian(gradient(L_c, v.first(2)), v.first(2));
  CHECK(proved(are_equal(determinant(hessian), -metric * determinant(G))));  // always regular
}
