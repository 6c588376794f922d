// O. E. Fernandez, The Hamiltonization of Nonholonomic Systems and its Applications (thesis, 2009), chapters VI and VII: multipliers,
// Routh's and Suslov's ways, quasi-velocities, and the examples. Misprints and false theorems are named.
#include <doctest/doctest.h>

#include <rattleback/motion/forms/bracket.hpp>
#include <rattleback/motion/forms/gibbs_appell.hpp>
#include <rattleback/motion/programs/projected_motion.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/hamiltonian/cyclic_fields.hpp>
#include <rattleback/proof/hamiltonian/quasi_velocity_lagrangian.hpp>
#include <rattleback/proof/hamiltonian/routh_hamiltonization.hpp>
#include <rattleback/proof/hamiltonian/suslov_hamiltonization.hpp>
#include <rattleback/proof/questions/question.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>
#include <rattleback/proof/variational/lagrangian_conjecture.hpp>
#include <rattleback/proof/variational/optimal_control.hpp>
#include <rattleback/proof/variational/vakonomic_multipliers.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

ChaplyginBundle classical(const System& system) { return chaplygin_bundle(chaplygin_reduction(system)); }

System at(const char* model, const std::vector<std::pair<std::string, std::string>>& values) {
  return with_values(load_model(model), values);
}

int position(const ChaplyginBundle& b, const std::string& speed) {
  for (int a = 0; a < b.dimension(); ++a) {
    if (b.D.speeds[static_cast<std::size_t>(a)].name() == speed) return a;
  }
  return -1;
}

}  // namespace

TEST_CASE(
    "FE-6.1, FE-6.3, FE-6.9, FE-VI.2-J: P = f p, the bracket in quasi-velocities, Poisson iff its extra part "
    "vanishes") {
  const ChaplyginBundle b = classical(load_model("iliyev"));
  const ChaplyginMultiplier x = chaplygin_multiplier(b);
  CHECK(proved(chaplygin_hamiltonian(b, x).motion));
  ChaplyginMultiplier none = x;  // f = 1: the extra part −K P does not vanish
  for (Expr& s : none.sigma) s = 0;
  none.f = Expr(1);
  CHECK(refuted(chaplygin_hamiltonian(b, none).motion));
}

TEST_CASE("FE-VI.2, FE-6.14: the symmetrised condition is exact; (6.12) is stronger for m = 3") {
  const ChaplyginMultiplier x = chaplygin_multiplier(classical(load_model("zero-force-bundle")));
  CHECK(proved(x.exists));
  CHECK_FALSE(x.pointwise);
  for (const char* model :
       {"iliyev", "nonholonomic-particle", "heisenberg-particle"})  // f of one and of several coordinates
    CHECK(chaplygin_multiplier(classical(load_model(model))).pointwise);
}

TEST_CASE(
    "FE-VI.4, FE-VI.4-f, FE-6.18, FE-7.12, FE-7.2.2-N, FE-7.2.2-f: m = 2; the exponent has both integrals") {
  const System system = load_model("nonholonomic-free-particle");
  const ChaplyginBundle b = classical(system);
  CHECK(b.K(0, 1, 0).is_zero());  // K^1_12 = 0, so the printed formula would give f = 1
  CHECK(proved(are_equal(b.K(0, 1, 1), parse("x/(1 + x^2)", system.scope))));
  const ChaplyginMultiplier x = chaplygin_multiplier(b);
  REQUIRE(x.f);
  CHECK(proved(are_equal(*x.f, parse("1/sqrt(1 + x^2)", system.scope))));
  CHECK(proved(are_equal(*x.f, *x.density)));
  CHECK(refuted(is_chaplygin_multiplier(b, Expr(1))));
  const ConditionallyVariational v = conditionally_variational(system);
  CHECK(refuted(v.full));
  REQUIRE(v.partial.size() == 1);  // along y' = 0 (and x' = 0) the motions are variational all the same
  CHECK(v.partial[0].size() == 2);
}

TEST_CASE("FE-VI.5, FE-6.20, FE-7.26, FE-1-fn1: Iliyev's f = cos q1, density f^2, Lambda from f") {
  const System system = load_model("iliyev");
  const ChaplyginBundle b = classical(system);
  const ChaplyginMultiplier x = chaplygin_multiplier(b);
  REQUIRE(x.f);
  CHECK(proved(are_equal(*x.f, parse("cos(q1)", system.scope))));
  CHECK(proved(are_equal(*x.density, parse("cos(q1)^2", system.scope))));
  const std::vector<Expr> p = gradient(b.lagrangian, b.D.speeds);
  for (int a = 0; a < 3; ++a) {
    for (int c = 0; c < 3; ++c) {
      const Expr expected = x.sigma[static_cast<std::size_t>(a)] * p[static_cast<std::size_t>(c)] -
                            x.sigma[static_cast<std::size_t>(c)] * p[static_cast<std::size_t>(a)];
      CHECK(proved(are_equal(b.lambda(a, c), expected)));
    }
  }
}

TEST_CASE("FE-6.22, FE-6.22-cyc, FE-VI.6, FE-7.20, FE-7.2.4-N, FE-7.2.4-no, FE-7.23: the snakeboard") {
  const System system = at("snakeboard", {{"m", "1"}, {"r", "1"}, {"J0", "1"}});
  const ChaplyginBundle b = classical(system);
  CHECK(refuted(chaplygin_multiplier(b).exists));
  const std::vector<VectorField> cyclic = cyclic_fields(b);
  REQUIRE(cyclic.size() == 1);
  CHECK(cyclic[0].coefficients() == b.frame[position(b, "psi'")].coefficients());
  const RouthReduction r = routh_reduction(b, cyclic);
  CHECK(proved(reduces(b, r)));
  const ChaplyginMultiplier x = multiplier_at_fixed_momenta(b, r);
  REQUIRE(x.f);
  CHECK(proved(is_chaplygin_multiplier(r.shape, parse("tan(phi)", system.scope))));
  const RouthHamiltonian h = routh_hamiltonian(b, r, x);
  CHECK(proved(h.motion));
  Scope scope = system.scope;
  scope.define("mu", Expr(r.mu[0]));
  scope.define("f", *x.f);
  const int theta = h.momenta[0].name() == "P_theta" ? 0 : 1;
  // With f = tan φ: sec²φ μ. The multiplier found is f up to a constant, and so is the bracket.
  CHECK(proved(are_equal(h.brackets(theta, 1 - theta), parse("f/tan(phi)*mu/cos(phi)^2", scope))));
  // Cyclic means Λ_iβ ṙ^β = 0: the carriage off its axle has Λ_12 ≠ 0 and nothing is conserved.
  CHECK(cyclic_fields(classical(load_model("two-wheeled-carriage"))).empty());
}

TEST_CASE(
    "FE-7.16, FE-7.2.3-N, FE-7.2.3-F, FE-7.2.3-no, FE-7.2.3-cyc, FE-7.2.3-f, FE-7.19: Chaplygin's sphere") {
  const System system = at("chaplygin-sphere-euler", {{"m", "1"}});
  const ChaplyginBundle b = classical(system);
  CHECK(refuted(chaplygin_multiplier(b).exists));
  CHECK(refuted(chaplygin_multiplier(classical(at("chaplygin-sphere-euler",
                                                  {{"m", "1"}, {"I1", "1"}, {"I2", "1"}, {"I3", "1"}})))
                    .exists));
  const int theta = position(b, "theta'"), psi = position(b, "psi'"), phi = position(b, "phi'");
  REQUIRE(theta >= 0);
  CHECK(proved(are_equal(b.lambda(theta, psi), parse("-psi'*sin(theta)*cos(theta)", system.scope))));
  CHECK(proved(
      are_equal(b.lambda(theta, phi), parse("-psi'*sin(theta)", system.scope))));  // not zero, and yet:
  const std::vector<VectorField> cyclic = cyclic_fields(b);
  REQUIRE(cyclic.size() == 1);
  CHECK(cyclic[0].coefficients() == b.frame[phi].coefficients());
  const RouthReduction r = routh_reduction(b, cyclic);
  CHECK(proved(reduces(b, r)));
  const ChaplyginMultiplier x = multiplier_at_fixed_momenta(b, r);
  REQUIRE(x.f);
  Scope scope = system.scope;
  const std::string f2 =
      "1/((I1 + 1)*(I2 + 1)*(I3 + 1)*(1 - sin(theta)^2*sin(psi)^2/(I1 + 1) - sin(theta)^2*cos(psi)^2/(I2 + "
      "1) - cos(theta)^2/(I3 + 1)))";
  CHECK(proved(are_equal(pow(*x.f, 2), parse(f2, scope))));
  const RouthHamiltonian h = routh_hamiltonian(b, r, x);
  CHECK(proved(h.motion));
  scope.define("mu", Expr(r.mu[0]));
  scope.define("f", *x.f);
  const int th = h.momenta[0].name() == "P_theta" ? 0 : 1;
  CHECK(proved(
      are_equal(h.brackets(th, 1 - th) / *x.f,
                parse("-mu*(I3 + 1)*" + f2 + "*sin(theta)*(I1*cos(psi)^2 + I2*sin(psi)^2 + 1)", scope))));
}

TEST_CASE(
    "FE-7.2.3-f, FE-7.2.3-cyc on SO(3): the rotation about the vertical is divided out, no angles needed") {
  const System system = at("chaplygin-sphere", {{"m", "1"}, {"r", "1"}});
  const ChaplyginBundle b = classical(system);
  const std::vector<VectorField> cyclic = cyclic_fields(b);
  REQUIRE(cyclic.size() == 1);
  const RouthReduction r = routh_reduction(b, cyclic);
  CHECK(proved(reduces(b, r)));
  for (int k = 0; k < 3; ++k)  // Ω along γ
    CHECK(proved(are_equal(r.components(k, 0), parse("B[3," + std::to_string(k + 1) + "]", system.scope))));
  const ChaplyginMultiplier x = multiplier_at_fixed_momenta(b, r);
  REQUIRE(x.f);
  const std::string f2 =
      "1/((I1 + 1)*(I2 + 1)*(I3 + 1)*(1 - B[3,1]^2/(I1 + 1) - B[3,2]^2/(I2 + 1) - B[3,3]^2/(I3 + 1)))";
  const Expr scale = pow(*x.f, 2) / parse(f2, system.scope);  // f is unique up to a constant
  for (int i = 0; i < b.frame.dimension(); ++i) CHECK(proved(is_zero(b.frame[i](scale))));
  CHECK(proved(routh_hamiltonian(b, r, x).motion));
  ChaplyginMultiplier mutant = x;
  for (Expr& s : mutant.sigma) s = 2 * s;
  CHECK(refuted(routh_hamiltonian(b, r, mutant).motion));
}

TEST_CASE("FE-7.2.3-hom: the homogeneous sphere is conditionally variational, with zero multipliers") {
  const ConditionallyVariational x = conditionally_variational(load_model("homogeneous-ball"));
  CHECK(proved(x.full));
  CHECK(x.zero_reaction);
}

TEST_CASE(
    "FE-6.33, FE-VI.8, FE-6.38, FE-7.2.5-C, FE-7.2.5-f, FE-7.2.5-N, FE-7.24: Suslov's way and the "
    "sleigh") {
  const System system = at("chaplygin-sleigh", {{"m", "1"}, {"J", "1"}, {"a", "1"}});
  const SuslovHamiltonization x = suslov_hamiltonization(system);
  CHECK(proved(x.is_lie));
  Scope scope = system.scope;
  for (const Symbol p : x.momenta) scope.define(p.name(), Expr(p));
  Expr bracket_ = 0;  // {p_u, p_ω} = p_ω/2
  for (int c = 0; c < 2; ++c) bracket_ -= x.S(0, 1, c) * x.momenta[static_cast<std::size_t>(c)];
  CHECK(proved(are_equal(bracket_, parse("p_omega/2", scope))));
  const Answer answer = suslov_hamiltonization_answer(system);
  const Data* brackets = answer.answer.find("brackets");
  REQUIRE(brackets->list() != nullptr);
  CHECK(*brackets->list()->front().text() == "{p_u, p_omega} = p_omega/2");
  CHECK(some_do_not_vanish(x.trace));  // not unimodular: no smooth density, and Hamiltonian all the same
  CHECK(proved(are_equal(
      system.lagrangian,
      parse("1/2*(x'^2 + y'^2 + 2*theta'^2 + 2*(y'*cos(theta) - x'*sin(theta))*theta')", system.scope))));
  CHECK(proved(suslov_hamiltonization(load_model("so4-suslov")).is_lie));
  CHECK(refuted(suslov_hamiltonization(load_model("gl2-suslov")).is_lie));
}

TEST_CASE(
    "FE-6.30: P = f p with a function f(g) leaves 2 h_c X_i f besides the bracket (6.31); a constant f "
    "nothing") {
  const System system = at("chaplygin-sleigh", {{"m", "1"}, {"J", "1"}, {"a", "1"}});
  const SuslovHamiltonization x = suslov_hamiltonization(system);
  const EquationsOfMotion motion = straight_line_equations(system);
  const SymbolMap rates = motion_of(system, motion);
  const std::vector<Symbol>& z = motion.speeds;
  const std::vector<Expr> p = gradient(substitute(system.lagrangian, motion.velocities), z);
  const Expr h = (p[0] * z[0] + p[1] * z[1]) / 2;
  // Ṗ_i − f {P_i, H_c}' with {P_i, P_j}' = f {p_i, p_j} + p_i X_j f − p_j X_i f, and X_i f.
  const auto left = [&](Expr f) {
    const std::vector<Expr> slope = gradient(derivative_along(f, rates), z);
    std::vector<Expr> residuals;
    for (int i = 0; i < 2; ++i) {
      Expr r = derivative_along(f * p[static_cast<std::size_t>(i)], rates);
      for (int j = 0; j < 2; ++j) {
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        Expr bracket_ = 0;
        for (int c = 0; c < 2; ++c) bracket_ -= x.S(i, j, c) * p[static_cast<std::size_t>(c)];
        r -= (f * bracket_ + p[a] * slope[b] - p[b] * slope[a]) * z[b];
      }
      residuals.push_back(r);
    }
    return std::pair(residuals, slope);
  };
  const std::span<const Symbol> q = system.space.functions();
  const auto [residuals, slope] =
      left(call(Function::abstract("F", 3), {Expr(q[0]), Expr(q[1]), Expr(q[2])}));
  CHECK(some_do_not_vanish(residuals));
  CHECK(all_vanish({residuals[0] - 2 * h * slope[0], residuals[1] - 2 * h * slope[1]}));
  CHECK(all_vanish(left(Expr(Symbol::make("k", {.role = Role::parameter}))).first));
}

TEST_CASE("FE-7.2.5-G1: with a one-dimensional group the sleigh has no multiplier") {
  const System system = at("chaplygin-sleigh", {{"m", "1"}, {"J", "1"}, {"a", "1"}});
  CHECK(chaplygin_multiplier_answer(system).outcome == Outcome::refuted);
  CHECK(chaplygin_multiplier_answer(at("chaplygin-sleigh", {{"a", "0"}})).outcome == Outcome::proved);
}

TEST_CASE("FE-VI.9, FE-7.14, FE-7.15: the Lagrangian in quasi-velocities") {
  const System particle = at("nonholonomic-free-particle", {{"m", "1"}});
  const Expr f = parse("1/sqrt(1 + x^2)", particle.scope);
  const QuasiVelocityLagrangian x = quasi_velocity_lagrangian(chaplygin_reduction(particle), f);
  CHECK(proved(x.restricts));
  Scope scope = particle.scope;
  for (const Symbol w : x.omega) scope.define(w.name(), Expr(w));
  CHECK(proved(
      are_equal(x.lagrangian,
                parse("(omega_x^2 + omega_y^2 - omega_z^2 - 2*x*omega_y*omega_z)/(2*(1 + x^2))", scope))));
  CHECK(proved(are_equal(x.momenta[2], parse("-(omega_z + x*omega_y)/(1 + x^2)", scope))));
  CHECK(refuted(quasi_velocity_lagrangian(chaplygin_reduction(particle), Expr(1)).restricts));
  const Answer multiplier = asked(question("chaplygin-multiplier"), particle, 60);
  const Data* printed = multiplier.answer.find("quasi_velocity_lagrangian");
  REQUIRE(printed != nullptr);
  CHECK(proved(are_equal(parse(*printed->text(), scope), x.lagrangian)));
  // (7.14) along the motion, with ω = q̇/f.
  const EquationsOfMotion motion = gibbs_appell_equations(particle);
  const auto rate = [&](Expr e) {
    return derivative_along(substitute(e, motion.velocities), along(particle, motion));
  };
  const auto on_motion = [&](const char* e) {
    return substitute(parse(e, particle.scope), motion.velocities);
  };
  const Expr w_x = parse("sqrt(1 + x^2)*x'", particle.scope), w_y = parse("sqrt(1 + x^2)*y'", particle.scope);
  CHECK(proved(are_equal(rate(w_x), on_motion("x*(1 + x^2)*x'^2/(1 + x^2)^(3/2)"))));
  CHECK(proved(is_zero(rate(w_y))));
  const System iliyev = load_model("iliyev");
  CHECK(proved(
      quasi_velocity_lagrangian(chaplygin_reduction(iliyev), parse("cos(q1)", iliyev.scope)).restricts));
}

TEST_CASE("FE-7.10, FE-7.11: two unconstrained Lagrangians of the disk, with A = -R cos, -R sin") {
  System disk = load_model("vertical-disk");
  for (const char* constant : {"C2", "C3", "C4"})
    disk.scope.define(constant, Expr(Symbol::make(constant, {.role = Role::parameter})));
  const auto has_motions = [&](const std::string& L) {
    return lagrangian_conjecture(disk, parse(L, disk.scope)).outcome;
  };
  const std::string others = "C3*x'^2/(R*cos(phi)*phi') + C4*y'^2/(R*sin(phi)*phi')";
  CHECK(has_motions("J/2*phi'^2 + (C2*theta'^2/phi' - " + others + ")/2") == Outcome::proved);
  CHECK(has_motions("J/2*phi'^2 + I/2*theta'^2 - (" + others + ")/2") == Outcome::proved);
  CHECK(
      has_motions("J/2*phi'^2 + I/2*theta'^2 - (C3*x'^2/(R*sin(phi)*phi') + C4*y'^2/(R*sin(phi)*phi'))/2") ==
      Outcome::refuted);
}

TEST_CASE("FE-7.6, FE-7.7, FE-7.9, FE-7.2.1-N: the vertical disk") {
  const System disk = load_model("vertical-disk");
  const Chaplygin c = chaplygin_reduction(disk);
  CHECK(all_vanish({c.lambda.entries().begin(), c.lambda.entries().end()}));
  const ChaplyginMultiplier f = chaplygin_multiplier(chaplygin_bundle(c));
  REQUIRE(f.f);
  CHECK(f.f->is_one());
  const VariationalLagrangian x = variational_lagrangian(c);
  Scope scope = disk.scope;
  for (const Symbol p : x.momenta) scope.define(p.name(), Expr(p));
  for (std::size_t i = 0; i < x.momenta.size(); ++i) {
    const std::string name = x.momenta[i].name();
    const std::string expected = name == "p_x"       ? "-m*x' + m*R*cos(phi)*theta'"
                                 : name == "p_y"     ? "-m*y' + m*R*sin(phi)*theta'"
                                 : name == "p_theta" ? "I*theta' + m*R*(x'*cos(phi) + y'*sin(phi))"
                                                     : "J*phi'";
    CHECK(proved(are_equal(x.definitions[i], parse(expected, scope))));
  }
  REQUIRE(x.hamiltonian);
  const std::string a = "(m*R)",
                    beta = "(m^2*R^2 + I*m)";  // the cross term is 2 m a (cos φ p_x + sin φ p_y) p_θ
  CHECK(proved(are_equal(
      *x.hamiltonian, parse("p_phi^2/(2*J) + (m^2*p_theta^2 - (" + a + "^2*sin(phi)^2 + I*m)*p_x^2 - (" + a +
                                "^2*cos(phi)^2 + I*m)*p_y^2 + " + a + "^2*sin(2*phi)*p_x*p_y + 2*m*" + a +
                                "*(cos(phi)*p_x + sin(phi)*p_y)*p_theta)/(2*m*" + beta + ")",
                            scope))));
}

TEST_CASE(
    "FE-8.2.5: Veselova's system is a Chaplygin system for rotations of space, with f = <gamma, I^-1 "
    "gamma>^(-1/2)") {
  const System system = load_model("veselova");
  bool found = false;
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& b) {
    found = proved(
        is_chaplygin_multiplier(b, parse("dot(gamma, diag(1/I1, 1/I2, 1/I3)*gamma)^(-1/2)", system.scope)));
    return true;
  });
  CHECK(found);
}

TEST_CASE("normal extremals are Hamilton's on T*Q, and differ from the mechanical motion as stated (C.28)") {
  for (const char* name : {"nonholonomic-free-particle", "chaplygin-sleigh", "vertical-disk"}) {
    CAPTURE(name);
    const System system = load_model(name);
    const NormalExtremals x = normal_extremals(system);
    const VakonomicConditions c = vakonomic_conditions(system);
    const auto q = system.space.functions();
    std::vector<VectorField> frame;
    for (int a = 0; a < c.D.rank(); ++a) frame.push_back(c.D.leg(a));
    frame.insert(frame.end(), c.complement.begin(), c.complement.end());
    std::vector<Symbol> P;
    for (const Symbol v : q) P.push_back(Symbol::make("P_" + v.name(), {.role = Role::momentum}));
    std::vector<Expr> h;  // h_I = P_i e_I^i
    SymbolMap in_P, flow;
    for (std::size_t i = 0; i < frame.size(); ++i) {
      h.push_back(dot(Matrix::column(std::vector<Expr>(P.begin(), P.end())),
                      Matrix::column(frame[i].coefficients())));
      in_P.emplace(x.momenta[i], h.back());
    }
    const Expr H = substitute(x.hamiltonian, in_P);
    for (std::size_t i = 0; i < P.size(); ++i) {
      flow.emplace(q[i], derivative(H, P[i]));
      flow.emplace(P[i], -derivative(H, q[i]));
    }
    for (std::size_t i = 0; i < h.size(); ++i)
      CHECK(proved(are_equal(derivative_along(h[i], flow), substitute(x.rates[i], in_P))));
    const ConstrainedBracket b = constrained_bracket(system, c.D);
    const VectorField mechanical = motion(b);
    SymbolMap names;
    for (std::size_t a = 0; a < b.momenta.size(); ++a) names.emplace(b.momenta[a], Expr(x.momenta[a]));
    for (std::size_t a = 0; a < b.momenta.size(); ++a) {
      const Expr rate = substitute(mechanical[static_cast<int>(q.size() + a)], names);
      CHECK(proved(are_equal(x.difference[a], x.rates[a] - rate)));
    }
  }
}

TEST_CASE(
    "Brockett's integrator: circles are cheapest, straight lines are mechanical; the difference is linear in "
    "the free multiplier") {
  const System system = load_model("brockett-integrator");
  const NormalExtremals x = normal_extremals(system);
  // With the Heisenberg metric on D the multiplier k is constant, and h turns at the rate 2k: circles.
  const System flat = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
space = { x = "R", y = "R", z = "R" }
constraints = { contact = "z' = x*y' - y*x'" }
velocities = { u1 = "x'", u2 = "y'" }
)toml",
                                 "heisenberg");
  const NormalExtremals y = normal_extremals(flat);
  Scope scope = flat.scope;
  for (const Symbol h : y.momenta) scope.define(h.name(), Expr(h));
  REQUIRE(y.rates.size() == 3);
  CHECK(proved(are_equal(pow(y.rates[0], 2), parse("(2*k_1*h_u2)^2", scope))));
  CHECK(proved(is_zero(y.rates[0] * parse("h_u1", scope) + y.rates[1] * parse("h_u2", scope))));
  CHECK(proved(is_zero(y.rates[2])));
  CHECK(some_do_not_vanish(x.difference));
  CHECK(optimal_control_answer(load_model("nonholonomic-free-particle")).outcome == Outcome::proved);
  CHECK(asked(question("hamiltonization"), load_model("vertical-disk"), 60).outcome == Outcome::proved);
}
