// O. E. Fernandez, The Hamiltonization of Nonholonomic Systems and its Applications (thesis, 2009), chapter V: conditionally
// variational systems. Several theorems are false as stated; the tests hold the corrected ones and the counterexamples.
#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/variational/conditionally_variational.hpp>

#include "../forms.hpp"

using namespace rattleback;

namespace {

/// The homogeneous Suslov body in Euler angles with fibre φ: reactions vanish, forces do not.
System suslov(const std::string& potential) {
  return read_model(
      "lagrangian = \"1/2*(theta'^2 + psi'^2 + phi'^2 + 2*psi'*phi'*cos(theta)) - (" + potential + R"toml()"
space = { theta = "R", psi = "R", phi = "R" }
constraints = { axis = "phi' + psi'/cos(theta) = 0" }
)toml",
      "homogeneous-suslov");
}

ChaplyginBundle classical(const System& system) { return chaplygin_bundle(chaplygin_reduction(system)); }

std::vector<Expr> forces(const Chaplygin& c) { return curvature_force(c.form); }

/// Abelian, m = 3, k = 2, in general position.
System generic() {
  return read_model(R"toml(
lagrangian = "1/2*(2*r1'^2 + 3*r2'^2 + 2*r3'^2 + s1'^2 + 2*s2'^2) + r3*r1'*s1'/4 + r2'*s2'/5"
space = { r1 = "R", r2 = "R", r3 = "R", s1 = "R", s2 = "R" }
constraints = { a = "s1' + r2*r1' + r3^2*r2' + r1*r2*r3' = 0", b = "s2' + r1^2*r1' + r1*r2' + (r2 + r3)*r3' = 0" }
)toml",
                    "generic");
}

}  // namespace

TEST_CASE(
    "FE-V.1, FE-V.3, FE-V.5.1, FE-V.5.2: conditionally variational means solvable multipliers; two kinds of "
    "them") {
  // Strict: μ = (∂L/∂ṡ)_c. The disk.
  const ConditionallyVariational disk = conditionally_variational(load_model("vertical-disk"));
  CHECK(proved(disk.full));
  CHECK(disk.strict == true);
  CHECK_FALSE(disk.zero_reaction);
  // μ = 0: the homogeneous Suslov body and the Heisenberg particle, whose reduced force does not vanish.
  for (const System& system : {suslov("0"), load_model("heisenberg-particle")}) {
    const ConditionallyVariational x = conditionally_variational(system);
    CHECK(proved(x.full));
    CHECK(x.zero_reaction);
    const VakonomicConditions c = vakonomic_conditions(system, {VectorField::leg(system.space, 2)});
    CHECK(refuted(are_vakonomic_multipliers(c, c.momenta)));
    CHECK(some_do_not_vanish(forces(chaplygin_reduction(system))));
  }
  // The free particle: reduced equations Lagrangian (see chapter IV), and not conditionally variational.
  CHECK(refuted(conditionally_variational(load_model("nonholonomic-free-particle")).full));
}

TEST_CASE("FE-V.5.3: a potential on the base may destroy it") {
  CHECK(proved(conditionally_variational(suslov("0")).full));
  CHECK(refuted(conditionally_variational(suslov("psi")).full));
  // The strict kind survives.
  System disk = load_model("vertical-disk");
  disk.lagrangian = disk.lagrangian - parse("cos(phi)", disk.scope);
  const ConditionallyVariational x = conditionally_variational(disk);
  CHECK(proved(x.full));
  CHECK(x.strict == true);
}

TEST_CASE(
    "FE-V.5.4, FE-5.2.2-R3, FE-5.2.2-R5: Lambda_ab r'^b = 0 is the condition, not Lambda = 0; nine equations "
    "for m = 3") {
  const Chaplygin c = chaplygin_reduction(load_model("zero-force-bundle"));
  CHECK(all_vanish(forces(c)));
  CHECK(some_do_not_vanish({c.lambda.entries().begin(), c.lambda.entries().end()}));
  CHECK(conditionally_variational(load_model("zero-force-bundle")).strict == true);
  // F_γβα = −F_γαβ: nine numbers. (5.11) and (5.12) are nine equations, eight of them independent, and say what the force says.
  std::vector<Symbol> numbers;
  const auto F = [&](int g, int b, int a) {
    if (b == a) return Expr(0);
    const Symbol s = Symbol::make(fmt::format("F{}{}{}", g, std::min(a, b), std::max(a, b)), {});
    if (std::find(numbers.begin(), numbers.end(), s) == numbers.end()) numbers.push_back(s);
    return b < a ? Expr(s) : -Expr(s);
  };
  const std::vector<Symbol> z{Symbol::make("z0", {}), Symbol::make("z1", {}), Symbol::make("z2", {})};
  std::vector<Expr> force, printed;
  for (int a = 0; a < 3; ++a) {
    Expr pull = 0;
    for (int g = 0; g < 3; ++g) {
      for (int b = 0; b < 3; ++b)
        pull += F(g, b, a) * z[static_cast<std::size_t>(g)] * z[static_cast<std::size_t>(b)];
    }
    for (const Symbol u : z) {
      for (const Symbol v : z) force.push_back(derivative(derivative(pull, u), v));
    }
    for (int b = 0; b < 3; ++b) {
      if (a != b) printed.push_back(F(a, a, b));
      for (int g = 0; g < 3; ++g) {
        if (a < b && g != a && g != b) printed.push_back(F(a, b, g) + F(b, a, g));
      }
    }
  }
  CHECK(numbers.size() == 9);
  CHECK(printed.size() == 9);
  const Matrix one = jacobian(force, numbers), other = jacobian(printed, numbers);
  CHECK(rank(one) == 8);
  CHECK(rank(other) == 8);
  CHECK(rank(beside(transpose(one), transpose(other))) == 8);
}

TEST_CASE(
    "FE-V.5.5, FE-5.2.2-R1, FE-5.2.2-R2: one constraint on three coordinates: iff the reaction vanishes") {
  for (const char* yes : {"zero-reaction-particle", "heisenberg-particle"}) {
    CAPTURE(yes);
    CHECK(conditionally_variational(load_model(yes)).zero_reaction);
  }
  for (const char* no : {"knife-edge", "chaplygin-sleigh", "nonholonomic-particle"}) {
    CAPTURE(no);
    CHECK(refuted(conditionally_variational(load_model(no)).full));
  }
  // R2: for the Heisenberg particle μ(0) = (∂L/∂ṡ)_c fails and μ = 0 works.
  const VakonomicConditions c = vakonomic_conditions(load_model("heisenberg-particle"));
  CHECK(proved(are_vakonomic_multipliers(c, {Expr(0)})));
  CHECK(refuted(are_vakonomic_multipliers(c, c.momenta)));
}

TEST_CASE(
    "FE-5.2.2-R6, FE-V.6: the carriage is conditionally variational iff the mass centre lies on the axle") {
  const System carriage = load_model("two-wheeled-carriage");
  CHECK(refuted(conditionally_variational(carriage).full));
  const ConditionallyVariational centred = conditionally_variational(with_values(carriage, {{"l", "0"}}));
  CHECK(proved(centred.full));
  CHECK(centred.strict == true);
}

TEST_CASE("FE-5.16, FE-5.17, FE-5.18, FE-5.20: L_V, its Hessian with the block -g_ab, p_a = -g_ab phi^b") {
  const System system = generic();
  const Chaplygin c = chaplygin_reduction(system);
  const VariationalLagrangian x = variational_lagrangian(c);
  const Space& Q = system.space;
  const Matrix g = jacobian(gradient(system.lagrangian, Q.velocities()), Q.velocities());
  const Matrix gab = rows_of(columns_of(g, {3, 4}), {3, 4});
  CHECK(proved(are_equal(x.determinant, determinant(gab) * determinant(c.metric))));  // det(−g_ab) for k = 2
  for (int a = 0; a < 2; ++a) {
    std::vector<Expr> terms{Expr(0)};
    for (int b = 0; b < 2; ++b)
      terms.push_back(-gab(a, b) * system.constraints[static_cast<std::size_t>(b)].expression);
    CHECK(proved(are_equal(x.definitions[3 + a], sum(terms))));
  }
  // E_α(L_V) = E_α(L_c) on φ = 0: so the restriction is the nonholonomic motion iff the force vanishes.
  CHECK(refuted(x.restricts));
  CHECK(proved(variational_lagrangian(chaplygin_reduction(load_model("vertical-disk"))).restricts));
  CHECK(proved(variational_lagrangian(chaplygin_reduction(load_model("zero-force-bundle"))).restricts));
}

TEST_CASE(
    "FE-V.7: L_V reproduces the strict kind only; the homogeneous Suslov body is conditionally variational "
    "without it") {
  CHECK(proved(conditionally_variational(suslov("0")).full));
  CHECK(refuted(variational_lagrangian(chaplygin_reduction(suslov("0"))).restricts));
}

TEST_CASE("FE-5.3.1, FE-V.8a, FE-V.10a, FE-V.10b: densities and conditional variationality") {
  // Densities that are not constant: Heisenberg 1/(1 + x² + y²), Suslov cos θ; both conditionally variational.
  const ChaplyginMultiplier heisenberg = chaplygin_multiplier(classical(load_model("heisenberg-particle")));
  REQUIRE(heisenberg.density);
  CHECK(refuted(
      is_zero(derivative(*heisenberg.density, load_model("heisenberg-particle").space.functions()[0]))));
  const ChaplyginMultiplier body = chaplygin_multiplier(classical(suslov("0")));
  REQUIRE(body.density);
  CHECK(proved(are_equal(pow(*body.density, 2) / pow(parse("cos(theta)", suslov("0").scope), 2), Expr(1))));
  // m = 2, N constant: K = 0, strict.
  const ChaplyginBundle disk = classical(load_model("vertical-disk"));
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int e = 0; e < 2; ++e) CHECK(disk.K(a, b, e).is_zero());
    }
  }
  // V.10a is false: conditionally variational, and no multiplier.
  const System counterexample = load_model("zero-reaction-no-measure");
  CHECK(proved(conditionally_variational(counterexample).full));
  CHECK(refuted(chaplygin_multiplier(classical(counterexample)).exists));
}

TEST_CASE("FE-V.8b: K^a_ab = G^ga F_gab with the inverse reduced metric") {
  const Chaplygin c = chaplygin_reduction(generic());
  const Matrix inverse_metric = inverse(c.metric).x;
  for (int b = 0; b < 3; ++b) {
    Expr trace = 0, formula_ = 0;
    for (int a = 0; a < 3; ++a) {
      trace += c.K(a, b, a);
      for (int g = 0; g < 3; ++g) {
        for (int k = 0; k < 2; ++k) formula_ += inverse_metric(g, a) * c.mixed(k, g) * c.form.B(k, a, b);
      }
    }
    CHECK(proved(are_equal(trace, formula_)));
  }
}

TEST_CASE("FE-5.3-end: the class is conditionally variational iff sum I A A' = 0, with the inertias") {
  const System model = load_model("fernandez-class");
  CHECK(refuted(conditionally_variational(model).full));
  // A1² I3 + A2² I4 constant: cos and sin divided by the roots of the inertias.
  const System on_circle = read_model(R"toml(
lagrangian = "1/2*(I1*r1'^2 + I2*r2'^2 + 4*s1'^2 + 9*s2'^2)"
space = { r1 = "R", r2 = "R", s1 = "R", s2 = "R" }
parameters = { I1 = 1, I2 = 1 }
constraints = { first = "s1' = -cos(r1)*r2'/2", second = "s2' = -sin(r1)*r2'/3" }
)toml",
                                      "on-a-circle");
  CHECK(conditionally_variational(on_circle).strict == true);
}
