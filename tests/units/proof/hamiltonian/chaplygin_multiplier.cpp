#include <doctest/doctest.h>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/proof/evidence/conjecture.hpp>
#include <rattleback/proof/hamiltonian/chaplygin_multiplier.hpp>
#include <rattleback/proof/hamiltonian/multiplier_conjecture.hpp>
#include <rattleback/proof/measure/measure_conjecture.hpp>

using namespace rattleback;

namespace {

ChaplyginBundle classical(const System& system) { return chaplygin_bundle(chaplygin_reduction(system)); }

/// Is f the text up to a constant factor?
bool is_multiple(const ChaplyginBundle& b, Expr f, const std::string& formula) {
  const Expr ratio = f / parse(formula, b.system.scope);
  for (int i = 0; i < b.frame.dimension(); ++i) {
    if (!vanishes_at_random_points(b.frame[i](ratio))) return false;
  }
  return true;
}

}  // namespace

TEST_CASE(
    "multipliers in closed form, for numbers of degrees of freedom, groups and functions of many kinds") {
  struct Row {
    std::string model, f;
  };
  for (const Row& row :
       std::vector<Row>{{"nonholonomic-free-particle", "1/sqrt(1 + x^2)"},
                        {"heisenberg-particle", "1/(1 + x^2 + y^2)"},
                        {"contact-particle-sinh", "1/cosh(x)"},
                        {"iliyev", "cos(q1)"},
                        {"knife-edge", "cos(theta)"},
                        {"vertical-disk", "1"},
                        {"zero-force-bundle", "1"},
                        {"fernandez-class", "(I2 + I3*A1(r1)^2 + I4*A2(r1)^2)^(-1/2)"},
                        {"two-wheeled-carriage", "exp(m*l*R^3*(f1 + f2)/(2*(J*R^2 + 2*Cw*c^2)))"}}) {
    CAPTURE(row.model);
    const ChaplyginBundle b = classical(load_model(row.model));
    const ChaplyginMultiplier x = chaplygin_multiplier(b);
    CHECK(proved(x.exists));
    REQUIRE(x.f);
    CHECK(is_multiple(b, *x.f, row.f));
    CHECK(proved(is_chaplygin_multiplier(b, *x.f)));
    if (b.dimension() > 1)
      CHECK(refuted(is_chaplygin_multiplier(b, *x.f * exp(Expr(b.system.space.functions()[0])))));
    CHECK(proved(chaplygin_hamiltonian(b, x).motion));
  }
}

TEST_CASE(
    "a group need not show in the coordinates: the Veselova system on SO(3), reduced by rotations of space") {
  const System system = load_model("veselova");
  int seen = 0;
  visit_chaplygin_bundles(system, [&](const ChaplyginBundle& b) {
    ++seen;
    const ChaplyginMultiplier x = chaplygin_multiplier(b);
    CHECK(proved(x.exists));
    REQUIRE(x.f);
    CHECK(is_multiple(b, *x.f, "dot(gamma, diag(1/I1, 1/I2, 1/I3)*gamma)^(-1/2)"));
    CHECK(proved(chaplygin_hamiltonian(b, x).motion));
    return true;
  });
  CHECK(seen == 1);
}

TEST_CASE("that there is none is a proof") {
  for (const char* model :
       {"snakeboard", "chaplygin-sleigh", "zero-reaction-no-measure", "chaplygin-sphere"}) {
    CAPTURE(model);
    CHECK(chaplygin_multiplier_answer(load_model(model)).outcome == Outcome::refuted);
  }
}

TEST_CASE(
    "a multiplier that is not periodic in the angles says so; forces and affine constraints have none") {
  const ChaplyginMultiplier x = chaplygin_multiplier(classical(load_model("differential-drive")));
  CHECK(proved(x.exists));
  CHECK(x.aperiodic.size() == 2);
  CHECK(chaplygin_multiplier(classical(load_model("two-wheeled-carriage"))).aperiodic.empty());
  const System pushed = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"
space = { x = "R", y = "R", z = "R" }
forces = { x = "-x'" }
constraints = { contact = "z' = y*x'" }
)toml",
                                   "pushed");
  CHECK_THROWS_AS(chaplygin_multiplier(classical(pushed)), const Error&);
  CHECK_THROWS_AS(chaplygin_multiplier_answer(load_model("affine-particle")), const Error&);
}

TEST_CASE("a gyroscopic term stays: its form has to be closed after multiplication with f") {
  const System plane = load_model("magnetic-particle");
  const ChaplyginBundle b = classical(plane);
  const ChaplyginMultiplier x = chaplygin_multiplier(b);
  REQUIRE(x.f);
  const ChaplyginHamiltonian h = chaplygin_hamiltonian(b, x);
  CHECK(proved(h.motion));
  CHECK_FALSE(h.brackets(0, 1).is_zero());
  // Iliyev's constraints in a field A = q2 dq3: f F = cos(q1) dq2∧dq3 is not closed.
  const System space = read_model(R"toml(
lagrangian = "1/2*(q1'^2 + q2'^2 + q3'^2 + q4'^2 + q5'^2) + b*q2*q3'"
space = { q1 = "R", q2 = "R", q3 = "R", q4 = "R", q5 = "R" }
parameters = { b = 1 }
constraints = { first = "q4' = q2'*tan(q1)", second = "q5' = q3'*tan(q1)" }
)toml",
                                  "iliyev-in-a-field");
  const ChaplyginMultiplier y = chaplygin_multiplier(classical(space));
  CHECK(y.remainder.empty());
  CHECK(y.curl.empty());
  CHECK(y.magnetic_curl.size() == 1);
  CHECK(refuted(y.exists));
}

TEST_CASE("what is 0 everywhere is neither a density nor a multiplier") {
  const System particle = load_model("nonholonomic-particle");
  CHECK(measure_conjecture(particle, parse("sqrt(1 + y^2)", particle.scope)).outcome == Outcome::proved);
  CHECK(measure_conjecture(particle, parse("x - x", particle.scope)).outcome == Outcome::refuted);
  CHECK(multiplier_conjecture(particle, parse("1/sqrt(1 + y^2)", particle.scope)).outcome == Outcome::proved);
  // x' w' = y' z' and w' = x y' mean y' (x x' - z') = 0: two branches, of which one is spoken of.
  const System branches = read_model(
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2 + w'^2)\"\n"
      "space = { x = \"R\", y = \"R\", z = \"R\", w = \"R\" }\n"
      "constraints = { a = \"x'*w' = y'*z'\", b = \"w' = x*y'\" }\n",
      "branches.toml");
  const Answer on_one = conserved_conjecture(branches, parse("x^2 - 2*z", branches.scope));
  CHECK(on_one.outcome == Outcome::proved);
  REQUIRE(!on_one.why.empty());
  CHECK(on_one.why[0].ends_with("y' != 0"));
  CHECK(multiplier_conjecture(particle, Expr(0)).outcome == Outcome::refuted);
  CHECK_THROWS_AS(multiplier_conjecture(particle, parse("t/sqrt(1 + y^2)", particle.scope)), Error);
  CHECK_THROWS_AS(multiplier_conjecture(particle, parse("x'/sqrt(1 + y^2)", particle.scope)), Error);
  CHECK_THROWS_AS(integral_conjecture(particle, parse("x'", particle.scope)), Error);
  CHECK_THROWS_AS(field_of_conjecture(particle, "x = y'"), Error);
  CHECK_THROWS_AS(field_of_conjecture(particle, "x = 1, x = 2"), Error);
}
