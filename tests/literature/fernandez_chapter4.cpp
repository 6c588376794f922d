// O. E. Fernandez, The Hamiltonization of Nonholonomic Systems and its Applications (thesis, 2009), chapter IV and what chapter II
// says of Helmholtz' conditions: associated second-order systems, Lagrangians, Hamiltonians. Misprints are named.
#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/linear_algebra.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/variational/associated_systems.hpp>
#include <rattleback/proof/variational/inverse_problem.hpp>
#include <rattleback/proof/variational/optimal_control.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

/// A scope that also knows the velocities and constants of a Lagrangian.
Scope scope_of(const SecondOrderSystem& s, const Scope& model = Scope(Scope::Unknown::becomes_a_symbol)) {
  Scope scope = model;
  for (const Symbol v : s.v) scope.define(v.name(), Expr(v));
  for (const Symbol q : s.q) scope.define(q.name(), Expr(q));
  return scope;
}

SecondOrderSystem second_order(const std::vector<std::string>& names, const std::vector<std::string>& f) {
  SecondOrderSystem s;
  for (const std::string& name : names) {
    s.q.push_back(Symbol::make(name, {.role = Role::coordinate}));
    s.v.push_back(Symbol::make(name + "'", {.role = Role::velocity}));
  }
  Scope scope = scope_of(s);
  for (const char* function : {"g2", "ga", "gb", "X2", "X3"}) scope.declare(function, 1);
  for (const std::string& text : f) s.f.push_back(parse(text, scope));
  return s;
}

bool equals(const SecondOrderSystem& s, Expr e, const std::string& text) {
  Scope scope = scope_of(s);
  for (const char* function : {"g2", "ga", "gb", "X2", "X3"}) scope.declare(function, 1);
  return proved(are_equal(e, parse(text, scope)));
}

const AssociatedSystem& of_type(const std::vector<AssociatedSystem>& all, const std::string& type) {
  for (const AssociatedSystem& s : all) {
    if (s.type == type) return s;
  }
  throw Bug("no associated system of that type");
}

bool has_acceleration(const System& model, const AssociatedSystem& s, const std::string& q,
                      const std::string& text) {
  for (std::size_t i = 0; i < s.equations.q.size(); ++i) {
    if (s.equations.q[i].name() == q) return proved(are_equal(s.equations.f[i], parse(text, model.scope)));
  }
  return false;
}

/// A geodesic flow with a potential: its own Lagrangian, and the normal form of its equations.
struct Known {
  SecondOrderSystem s;
  Expr L;
};
Known known_lagrangian(const std::vector<std::string>& names, const std::string& L) {
  Known k{second_order(names, std::vector<std::string>(names.size(), "0")), Expr(0)};
  k.L = parse(L, scope_of(k.s));
  const std::vector<Expr> p = gradient(k.L, k.s.v);
  SymbolMap ahead;
  for (std::size_t i = 0; i < k.s.q.size(); ++i) ahead.emplace(k.s.q[i], Expr(k.s.v[i]));
  const std::vector<Expr> drift = derivative_along(p, ahead), pull = gradient(k.L, k.s.q);
  const Matrix f = solve(jacobian(p, k.s.v), Matrix::column(pull) - Matrix::column(drift))->x;
  k.s.f.assign(f.entries().begin(), f.entries().end());
  return k;
}
Known known_lagrangian() {
  return known_lagrangian({"x", "y"}, "1/2*((2 + y^2)*x'^2 + 3*y'^2) + x*x'*y'/2 - x^2*y");
}

}  // namespace

TEST_CASE(
    "FE-2.5-H, FE-2.5-inv, FE-2.2: the Hessian of a Lagrangian satisfies Helmholtz' conditions for its own "
    "equations") {
  const Known k = known_lagrangian();
  CHECK(proved(is_lagrangian(k.s, k.L)));
  const Matrix g = jacobian(gradient(k.L, k.s.v), k.s.v);
  CHECK(proved(satisfies_helmholtz(k.s, g)));
  Matrix mutant = g;
  mutant(0, 0) = mutant(0, 0) + 1;
  CHECK(refuted(satisfies_helmholtz(k.s, mutant)));
  CHECK(refuted(is_lagrangian(k.s, k.L + parse("x*y'^2", scope_of(k.s)))));
  // Found again among a few candidates, with numbers as coefficients.
  const Scope names = scope_of(k.s);
  const auto found =
      lagrangian_in_ansatz(k.s, {parse("x'^2", names), parse("y^2*x'^2", names), parse("y'^2", names),
                                 parse("x*x'*y'", names), parse("x^2*y", names)});
  REQUIRE(found);
  CHECK(proved(is_lagrangian(k.s, *found)));
}

TEST_CASE(
    "FE-2.5-Phi, FE-2.5-nPhi, FE-2.5-R: corrected Phi, nabla Phi and R; as printed the conditions fail") {
  const Known k = known_lagrangian();
  const Matrix g = jacobian(gradient(k.L, k.s.v), k.s.v), Phi = jacobi_endomorphism(k.s),
               dPhi = nabla(k.s, Phi);
  const auto symmetric = [&](const Matrix& T) { return proved(is_zero((g * T)(0, 1) - (g * T)(1, 0))); };
  CHECK(symmetric(Phi));
  CHECK(symmetric(dPhi));
  CHECK(symmetric(nabla(k.s, dPhi)));
  // Printed: a velocity derivative in the second term of Phi, and −N Phi in nabla Phi.
  const Matrix A = jacobian(k.s.f, k.s.v);
  CHECK_FALSE(symmetric(derivative_along(A, k.s.gamma()) - Expr(2) * A - Expr(Rational(1, 2)) * (A * A)));
  const Matrix N = Expr(Rational(-1, 2)) * A;
  CHECK_FALSE(symmetric(derivative_along(Phi, k.s.gamma()) - N * Phi - Phi * N));
  CHECK(refuted(algebraic_multipliers(k.s).singular));  // its own Hessian is left
  // The R-condition needs three coordinates.
  const Known space =
      known_lagrangian({"x", "y", "z"}, "1/2*((2 + y^2)*x'^2 + 3*y'^2 + (1 + x^2)*z'^2) - x^2*y*z");
  const Matrix h = jacobian(gradient(space.L, space.s.v), space.s.v), Psi = jacobi_endomorphism(space.s);
  const auto R = [&](int j, int k_, int l) { return curvature_of(space.s, Psi, k_)(j, l); };
  Expr cyclic = 0, printed = 0;
  for (int j = 0; j < 3; ++j) {
    cyclic += h(0, j) * R(j, 1, 2) + h(2, j) * R(j, 0, 1) + h(1, j) * R(j, 2, 0);
    printed += h(0, j) * R(j, 1, 2) + h(2, j) * R(j, 0, 1) - h(1, j) * R(j, 2, 0);
  }
  CHECK(proved(is_zero(cyclic)));
  CHECK(refuted(is_zero(printed)));
}

TEST_CASE(
    "FE-4.1, FE-4.5, FE-4.6, FE-4.7, FE-IV.2: the vertical disk and its associated systems of types I, II "
    "and III") {
  const System disk = load_model("vertical-disk");
  const Chaplygin c = chaplygin_reduction(disk);
  const auto all = associated_systems(c);
  REQUIRE(all.size() == 3);
  for (const AssociatedSystem& s : all) CHECK(proved(s.restricts));
  const AssociatedSystem &I = of_type(all, "I"), &II = of_type(all, "II"), &III = of_type(all, "III");
  for (const char* q : {"theta", "phi"}) {
    CHECK(has_acceleration(disk, I, q, "0"));
    CHECK(has_acceleration(disk, II, q, "0"));
  }
  CHECK(has_acceleration(disk, I, "x", "-R*sin(phi)*theta'*phi'"));
  CHECK(has_acceleration(disk, I, "y", "R*cos(phi)*theta'*phi'"));
  CHECK(has_acceleration(disk, II, "x", "-tan(phi)*x'*phi'"));
  CHECK(has_acceleration(disk, II, "y", "cot(phi)*y'*phi'"));
  REQUIRE(III.lagrangian);
  CHECK(proved(are_equal(
      *III.lagrangian,
      parse("-m*(x'^2 + y'^2)/2 + I*theta'^2/2 + J*phi'^2/2 + m*R*theta'*(cos(phi)*x' + sin(phi)*y')",
            disk.scope))));
  CHECK(proved(is_lagrangian(III.equations, *III.lagrangian)));
}

TEST_CASE("FE-4.11, FE-4.12, FE-4.14, FE-4.15: the class with arbitrary functions A, types I and II") {
  const System model = load_model("fernandez-class");
  const auto all = associated_systems(chaplygin_reduction(model));
  const AssociatedSystem &I = of_type(all, "I"), &II = of_type(all, "II");
  const std::string N2 = "1/(I2 + I3*A1(r1)^2 + I4*A2(r1)^2)", S = "(I3*A1(r1)*A1'(r1) + I4*A2(r1)*A2'(r1))";
  CHECK(has_acceleration(model, I, "r1", "0"));
  CHECK(has_acceleration(model, I, "r2", "-" + N2 + "*" + S + "*r1'*r2'"));
  CHECK(has_acceleration(model, I, "s1", "-(A1'(r1) - " + N2 + "*A1(r1)*" + S + ")*r1'*r2'"));
  // As printed, without the inertias in the sum:
  CHECK_FALSE(has_acceleration(model, I, "s1",
                               "-(A1'(r1) - " + N2 + "*A1(r1)*(A1(r1)*A1'(r1) + A2(r1)*A2'(r1)))*r1'*r2'"));
  CHECK(has_acceleration(model, II, "s2", "(A2'(r1) - " + N2 + "*A2(r1)*" + S + ")*r1'*s2'/A2(r1)"));
  const ChaplyginMultiplier x = chaplygin_multiplier(chaplygin_bundle(chaplygin_reduction(model)));
  REQUIRE(x.density);
  CHECK(proved(are_equal(pow(*x.density, 2), parse(N2, model.scope))));
}

TEST_CASE(
    "FE-4.16-Phi, FE-4.16-n, FE-4.16-nn, FE-4.17: the tables of type I; (nabla Phi)^a has Ga G2' (printed Ga "
    "G2)") {
  const SecondOrderSystem s =
      second_order({"r1", "r2", "s3", "s4"}, {"0", "g2(r1)*r1'*r2'", "ga(r1)*r1'*r2'", "gb(r1)*r1'*r2'"});
  const Matrix P = jacobi_endomorphism(s), P1 = nabla(s, P), P2 = nabla(s, P1);
  CHECK(equals(s, P(1, 0), "(g2(r1)^2/2 - g2'(r1))*r1'*r2'"));
  CHECK(equals(s, P(1, 1), "-(g2(r1)^2/2 - g2'(r1))*r1'^2"));
  CHECK(equals(s, P(2, 0), "(ga(r1)*g2(r1)/2 - ga'(r1))*r1'*r2'"));
  CHECK(equals(s, P(2, 1), "-(ga(r1)*g2(r1)/2 - ga'(r1))*r1'^2"));
  CHECK(equals(s, P1(1, 0), "(g2(r1)*g2'(r1) - g2''(r1))*r1'^2*r2'"));
  CHECK(equals(s, P1(2, 0), "(ga(r1)*g2'(r1) - ga''(r1))*r1'^2*r2'"));
  CHECK(equals(s, P1(2, 1), "-(ga(r1)*g2'(r1) - ga''(r1))*r1'^3"));
  CHECK_FALSE(equals(s, P1(2, 0), "(ga(r1)*g2(r1) - ga''(r1))*r1'^2*r2'"));
  CHECK(equals(s, P2(1, 0), "(g2'(r1)^2 + g2(r1)*g2''(r1) - g2'''(r1))*r1'^3*r2'"));
  CHECK(equals(s, P2(2, 0),
               "(ga'(r1)*g2'(r1) + 3/2*ga(r1)*g2''(r1) - 1/2*ga''(r1)*g2(r1) - ga'''(r1))*r1'^3*r2'"));
  for (const Matrix& T : {P, P1, P2}) CHECK(proved(is_zero(T(2, 0) * T(3, 1) - T(3, 0) * T(2, 1))));
}

TEST_CASE(
    "FE-4.2.1-gen, FE-4.19, FE-7.2.2-I: type I of the class, the disk and the free particle has no regular "
    "Lagrangian") {
  for (const char* model : {"fernandez-class", "vertical-disk", "nonholonomic-free-particle"}) {
    CAPTURE(model);
    const auto all = associated_systems(chaplygin_reduction(load_model(model)));
    const AlgebraicMultipliers left = algebraic_multipliers(of_type(all, "I").equations);
    CHECK(proved(left.singular));
    CHECK_FALSE(proved(algebraic_multipliers(of_type(all, "II").equations).singular));
  }
  // The disk: 5 independent conditions; g13 = −(θ̇/φ̇) g23 and g33 = g34 = g44 = 0 in the order (φ, θ, x, y).
  const auto all = associated_systems(chaplygin_reduction(load_model("vertical-disk")));
  const AlgebraicMultipliers left = algebraic_multipliers(of_type(all, "I").equations);
  CHECK(left.conditions == 5);
  const auto at = [&](const std::string& name) {
    const auto& q = of_type(all, "I").equations.q;
    for (std::size_t i = 0; i < q.size(); ++i) {
      if (q[i].name() == name) return static_cast<int>(i);
    }
    return -1;
  };
  const int ph = at("phi"), th = at("theta"), x = at("x"), y = at("y");
  const auto& v = of_type(all, "I").equations.v;
  for (const Matrix& g : left.basis) {
    CHECK(all_vanish({g(x, x), g(x, y), g(y, y)}));
    CHECK(proved(
        is_zero(g(ph, x) * v[static_cast<std::size_t>(ph)] + g(th, x) * v[static_cast<std::size_t>(th)])));
  }
}

TEST_CASE(
    "a curved space of three dimensions: its metric satisfies every algebraic condition, those carried along "
    "too") {
  const SecondOrderSystem s = second_order(
      {"x", "y", "z"},
      {"(x*z'^2 - 2*y*y'*x')/(1 + y^2)", "(y*x'^2 - 2*z*z'*y')/(1 + z^2)", "(z*y'^2 - 2*x*x'*z')/(1 + x^2)"});
  const auto square = [](Symbol q) { return 1 + pow(Expr(q), 2); };
  const std::vector<Expr> metric{square(s.q[1]), square(s.q[2]), square(s.q[0])};
  CHECK(proved(satisfies_helmholtz(s, Matrix::diagonal(metric))));
  const AlgebraicMultipliers left = algebraic_multipliers(s);
  CHECK(left.conditions == 4);
  CHECK(left.order >= 1);
  // Besides the energy T, functions F(T) are Lagrangians: F' g + F'' p pᵀ with p = g v, and nothing else is left.
  Matrix p(3, 1);
  for (int i = 0; i < 3; ++i) p[i] = metric[static_cast<std::size_t>(i)] * s.v[static_cast<std::size_t>(i)];
  std::vector<Matrix> all = left.basis;
  all.push_back(Matrix::diagonal(metric));
  all.push_back(p * transpose(p));
  Matrix side_by_side(9, static_cast<int>(all.size()));
  for (int k = 0; k < side_by_side.columns(); ++k) {
    for (int e = 0; e < 9; ++e) side_by_side(e, k) = all[static_cast<std::size_t>(k)](e / 3, e % 3);
  }
  CHECK(left.basis.size() == 2);
  CHECK(rank(side_by_side) == 2);
  CHECK(refuted(left.singular));
}

TEST_CASE("FE-4.20, FE-4.21, FE-4.22-exc1, FE-4.22-exc2: type II, what Phi leaves, and its exceptions") {
  const SecondOrderSystem s = second_order({"r1", "q2", "q3"}, {"0", "X2(r1)*q2'*r1'", "X3(r1)*q3'*r1'"});
  const Matrix P = jacobi_endomorphism(s), P1 = nabla(s, P);
  CHECK(equals(s, P(1, 0), "-r1'*q2'*(2*X2'(r1) - X2(r1)^2)/2"));
  CHECK(equals(s, P(1, 1), "r1'^2*(2*X2'(r1) - X2(r1)^2)/2"));
  CHECK(all_vanish({P(1, 2), P(2, 1)}));
  CHECK(proved(is_zero(P1(1, 0) * s.v[0] + P1(1, 1) * s.v[1])));
  const AlgebraicMultipliers left = algebraic_multipliers(s);
  for (const Matrix& g : left.basis) {
    CHECK(proved(is_zero(g(1, 1) * s.v[1] + g(0, 1) * s.v[0])));
    CHECK(proved(is_zero(g(1, 2))));
  }
  CHECK(refuted(left.singular));
  const auto Phi_of = [](const std::string& X) {
    return jacobi_endomorphism(second_order({"r1", "q2"}, {"0", "(" + X + ")*q2'*r1'"}))(1, 1);
  };
  CHECK(proved(is_zero(Phi_of("2/(5 - r1)"))));
  CHECK(refuted(is_zero(Phi_of("1/(5 - r1)"))));
  // Φ_a = Φ_b: Ξ_b = 1, E = exp(r1): Ξ_a = 1 + 2E/(C − E); printed: E = exp(2 r1), Ξ_a = 1 + E/(C − E/2).
  const Expr b = Phi_of("1");
  CHECK(proved(is_zero(Phi_of("1 + 2*exp(r1)/(7 - exp(r1))") - b)));
  CHECK(refuted(is_zero(Phi_of("1 + exp(2*r1)/(7 - exp(2*r1)/2)") - b)));
}

TEST_CASE(
    "FE-4.23, FE-4.25, FE-IV.1, FE-4.2.2-N, FE-4.22-wlog, FE-7.13: the Lagrangians of type II, found and "
    "verified") {
  for (const char* name : {"fernandez-class", "vertical-disk", "nonholonomic-free-particle"}) {
    CAPTURE(name);
    const System model = load_model(name);
    const Chaplygin c = chaplygin_reduction(model);
    const AssociatedSystem II = of_type(associated_systems(c), "II");
    const auto L = decoupled_lagrangian(II.equations, constant_inertias(c));
    REQUIRE(L);
    CHECK(proved(L->is_lagrangian));
    CHECK(proved(L->legendre));
    CHECK(proved(satisfies_helmholtz(II.equations,
                                     jacobian(gradient(L->lagrangian, II.equations.v), II.equations.v))));
  }
  const System particle = load_model("nonholonomic-free-particle");
  const Chaplygin c = chaplygin_reduction(particle);
  const AssociatedSystem II = of_type(associated_systems(c), "II");
  Scope scope = scope_of(II.equations, particle.scope);
  scope.define("C2", Expr(3));
  scope.define("C3", Expr(5));
  // (7.13), with ρ(ẋ) = ẋ².
  CHECK(proved(
      is_lagrangian(II.equations, parse("x'^2 + 1/2*sqrt(1 + x^2)*(C2*y'^2/x' + C3*z'^2/(x*x'))", scope))));
  // It is an ansatz, not loss-free: another Lagrangian of the same equations outside of it.
  const SecondOrderSystem free = second_order({"a", "b"}, {"0", "0"});
  CHECK(proved(is_lagrangian(free, parse("a'^2 + b'^2 + exp(a'*b')", scope_of(free)))));
  // (4.25): where Ξ_2 = 0 any σ(ṙ2) may stand.
  const System disk = load_model("vertical-disk");
  const AssociatedSystem disk_II = of_type(associated_systems(chaplygin_reduction(disk)), "II");
  CHECK(proved(
      is_lagrangian(disk_II.equations,
                    parse("phi'^2 + theta'^4 + x'^2/(cos(phi)*phi') + y'^2/(sin(phi)*phi')", disk.scope))));
}

TEST_CASE(
    "FE-4.29, FE-4.30: L_V and its equations, with 1/I1, N^2 and the inertias that the print lacks; FE-IV.2 "
    "needs N constant") {
  const System model = load_model("fernandez-class");
  const auto all = associated_systems(chaplygin_reduction(model));
  const AssociatedSystem& III = of_type(all, "III");
  CHECK(refuted(III.restricts));
  CHECK(proved(are_equal(
      *III.lagrangian,
      parse("1/2*(I1*r1'^2 + I2*r2'^2 - I3*s1'^2 - I4*s2'^2) - A1(r1)*I3*s1'*r2' - A2(r1)*I4*s2'*r2'",
            model.scope))));
  const std::string N2 = "1/(I2 + I3*A1(r1)^2 + I4*A2(r1)^2)", S = "(I3*A1(r1)*A1'(r1) + I4*A2(r1)*A2'(r1))",
                    g = "(I3*A1'(r1)*s1' + I4*A2'(r1)*s2')";
  CHECK(has_acceleration(model, III, "r1", "-" + g + "*r2'/I1"));
  CHECK(has_acceleration(model, III, "r2", "-" + N2 + "*" + S + "*r1'*r2' + " + N2 + "*" + g + "*r1'"));
  CHECK(
      has_acceleration(model, III, "s1",
                       "-(A1'(r1) - " + N2 + "*A1(r1)*" + S + ")*r1'*r2' - " + N2 + "*A1(r1)*" + g + "*r1'"));
}

TEST_CASE(
    "FE-4.31, FE-4.32, FE-4.33, FE-4.3-fp, FE-4.3-d1, FE-4.3-d2: Hamiltonians and the submanifolds of phase "
    "space") {
  const System model = load_model("fernandez-class");
  const Chaplygin c = chaplygin_reduction(model);
  const AssociatedSystem II = of_type(associated_systems(c), "II");
  const auto L = decoupled_lagrangian(II.equations, constant_inertias(c));
  REQUIRE(L);
  Scope scope = scope_of(II.equations, model.scope);
  for (const Symbol p : L->momenta) scope.define(p.name(), Expr(p));
  for (const Symbol C : L->constants) scope.define(C.name(), Expr(C));
  CHECK(
      proved(are_equal(L->hamiltonian, parse("(p_r1 + (I2 + I3*A1(r1)^2 + I4*A2(r1)^2)^(-1/2)/2*(p_r2^2/C_r2 "
                                             "+ A1(r1)*p_s1^2/C_s1 + A2(r1)*p_s2^2/C_s2))^2/(2*I1)",
                                             scope))));
  const auto surface = constraint_in_momenta(c, II.equations, *L);
  REQUIRE(surface.size() == 2);
  const Expr first = parse("C_r2*p_s1 + C_s1*p_r2", scope);
  CHECK(proved(is_zero(derivative(surface[0] / first, L->momenta[1]))));
  // The flow stays on the surface, and there ṡ = −A ṙ2.
  SymbolMap flow;
  for (std::size_t i = 0; i < L->momenta.size(); ++i) {
    flow.emplace(II.equations.q[i], derivative(L->hamiltonian, L->momenta[i]));
    flow.emplace(L->momenta[i], -derivative(L->hamiltonian, II.equations.q[i]));
  }
  CHECK(proved(is_zero(derivative_along(first, flow))));
  const SymbolMap on{{L->momenta[2], -Expr(L->constants[1]) * L->momenta[1] / L->constants[0]},
                     {L->momenta[3], -Expr(L->constants[2]) * L->momenta[1] / L->constants[0]}};
  const Expr slip = flow.at(II.equations.q[2]) + parse("A1(r1)", scope) * flow.at(II.equations.q[1]);
  CHECK(proved(is_zero(substitute(slip, on))));
  CHECK(refuted(is_zero(slip)));
}

TEST_CASE("FE-7.1, FE-VII.1a, FE-VII.1b: the associated control problem has the same Hamiltonian") {
  for (const char* name : {"fernandez-class", "vertical-disk", "nonholonomic-free-particle"}) {
    CAPTURE(name);
    const Chaplygin c = chaplygin_reduction(load_model(name));
    const AssociatedSystem II = of_type(associated_systems(c), "II");
    auto L = decoupled_lagrangian(II.equations, constant_inertias(c));
    REQUIRE(L);
    const AssociatedControl x = associated_control(II.equations, *L);
    CHECK(proved(x.stationary));
    CHECK(proved(x.hamiltonian));
    // The controls are first integrals: u = q̇ at the clock, e^{−ξ} q̇ at the others.
    for (std::size_t k = 0; k < L->others.size(); ++k) {
      const auto a = static_cast<std::size_t>(L->others[k]);
      CHECK(proved(is_zero(derivative_along(Expr(II.equations.v[a]) / L->scales[k], II.equations.gamma()))));
    }
    L->hamiltonian = L->hamiltonian * 2;  // the mutant
    CHECK_FALSE(proved(associated_control(II.equations, *L).stationary));
  }
}

TEST_CASE("FE-4.23, FE-4.31 for coefficients of several kinds: exponentials and polynomials in one system") {
  // e^{xi} = A N with A = exp(r1): the exponential cancels from the equations and has to be found all the same.
  const System s = read_model(R"toml(
lagrangian = "1/2*(3*r1'^2 + 2*r2'^2 + 5*s1'^2 + s2'^2)"
[space]
r1 = "R"
r2 = "R"
s1 = "R"
s2 = "R"
[constraints]
c1 = "s1' = exp(r1)*r2'"
c2 = "s2' = (1 + r1^2)*r2'"
)toml",
                              "kinds.toml");
  const Answer inverse = inverse_problem_answer(s), control = optimal_control_answer(s);
  CHECK(inverse.outcome == Outcome::proved);
  CHECK(control.outcome == Outcome::proved);
  CHECK(*control.certificate.find("certificate")->text() == "optimal-control");
}

TEST_CASE(
    "a control problem that exists without a closed form is not denied: scales by elliptic or error "
    "functions") {
  const System s = read_model(R"toml(
lagrangian = "1/2*(r1'^2 + r2'^2 + s1'^2) + 1/2*(1 + A(r1))*r3'^2"
[space]
r1 = "R"
r2 = "R"
r3 = "R"
s1 = "R"
[functions]
A = ["r1"]
[constraints]
c1 = "s1' = A(r1)*r2'"
)toml",
                              "open.toml");
  CHECK(optimal_control_answer(s).outcome != Outcome::proved);  // r1'' depends on r3': it does not decouple
  // With w = r2 r1' + k r2' and k = r1 e^{-r1} the motion is r1' = const, w = const: e^{xi} = e^{-Ei(r1)}/k, by hand.
  const System open = read_model(R"toml(
lagrangian = "1/2*(r1'^2 + w^2) - (1 - (1 - r1)*exp(-r1))*w*(s' - r1*r2') + 3*(s' - r1*r2')^2"
[space]
r1 = "R"
r2 = "R"
s = "R"
[define]
w = "r2*r1' + r1*exp(-r1)*r2'"
[constraints]
c = "s' = r1*r2'"
)toml",
                                 "no-closed-form.toml");
  const Answer a = optimal_control_answer(open);
  CHECK(a.outcome == Outcome::undecided);
  CHECK(a.obstacle == "an associated system decouples, but no closed form was found for its scales");
  CHECK(a.certificate.is_null());
  CHECK(a.answer.find("exists")->is_null());
  CHECK(inverse_problem_answer(open).outcome == Outcome::not_found);
  SecondOrderSystem two{{s.space.functions()[0], s.space.functions()[1]},
                        {s.space.velocities()[0], s.space.velocities()[1]},
                        {}};
  const Expr x = two.q[0], u = two.v[0], w = two.v[1];
  two.f = {Expr(0), exp(x) / x * u * w};  // xi = Ei(x)
  CHECK(decouples(two));
  CHECK_FALSE(decoupled_lagrangian(two).has_value());
  two.f[1] = exp(x) * u * w;  // e^{e^x}
  CHECK(decouples(two));
  CHECK(proved(decoupled_lagrangian(two)->is_lagrangian));
  two.f[1] = u * u;
  CHECK_FALSE(decouples(two));
}
