#include <doctest/doctest.h>

#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/geometry/action.hpp>
#include <rattleback/geometry/named_algebras.hpp>
#include <rattleback/model/reading/load.hpp>
#include <rattleback/motion/symmetry/momentum.hpp>
#include <rattleback/proof/questions/question.hpp>

#include <rattleback/model/reading/load.hpp>
#include "../../../forms.hpp"

using namespace rattleback;

namespace {

std::vector<std::string> found(const System& s) {
  std::vector<std::string> fields;
  for (const Generator& g : found_symmetries(s).generators) fields.push_back(g.name);
  return fields;
}

}  // namespace

TEST_CASE("symmetries are found, named and written as a model writes them") {
  using Names = std::vector<std::string>;
  CHECK(found(load_model("chaplygin-sleigh")) ==
        Names{"x = \"1\"", "y = \"1\"", "x = \"-y\", y = \"x\", theta = \"1\""});
  CHECK(found(load_model("veselova")) == Names{"B = \"left e3\""});
  CHECK(found(load_model("neumann")).empty());
  CHECK(found_symmetries(load_model("homogeneous-ball")).name == "so(3) + se(2)");
  CHECK(found_symmetries(load_model("snakeboard")).name == "se(2) + R");
  CHECK(found_symmetries(load_model("suslov-euler")).name == "so(3) + R");
}

TEST_CASE("a declared symmetry that is none is refuted, and says what is not invariant") {
  const System s = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2) - x^2"
[space]
x = "R"
y = "R"
z = "R"
[constraints]
c = "z' = y*x'"
[symmetry]
translations = ["x", "y", "z"]
)toml",
                              "test.toml");
  const std::vector<SymmetryAlgebra> groups = declared_symmetries(s);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].name == "R^3");
  CHECK(refuted(groups[0].invariance[0].lagrangian));
  CHECK(proved(groups[0].invariance[0].constraints));
  CHECK(proved(groups[0].invariance[1].lagrangian));
  CHECK(refuted(groups[0].invariance[1].constraints));
  CHECK(proved(is_symmetry(groups[0].invariance[2])));
  CHECK(found(s) == std::vector<std::string>{"z = \"1\""});
}

TEST_CASE("coefficients may depend on parameters: a screw motion") {
  const System s = read_model(R"toml(
lagrangian = "1/2*(z'^2 + theta'^2) + cos(theta - z/h)"
[space]
z = "R"
theta = "R"
[parameters]
h = { value = 2, positive = true }
)toml",
                              "test.toml");
  const SymmetryAlgebra g = found_symmetries(s);
  REQUIRE(g.generators.size() == 1);
  CHECK(g.generators[0].name == "z = \"h\", theta = \"1\"");
  CHECK(g.complete);
  CHECK(proved(is_symmetry(g.invariance[0])));
}

TEST_CASE("a force that has no potential is noticed") {
  const std::string model = R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
[space]
x = "R"
y = "R"
[forces]
x = "-y"
y = "x"
)toml";
  CHECK(found(read_model(model, "test.toml")) == std::vector<std::string>{"x = \"-y\", y = \"x\""});
}

TEST_CASE("horizontal and gauge symmetries") {
  const std::vector<HorizontalSymmetry> disk = horizontal_symmetries(load_model("vertical-disk"));
  REQUIRE(disk.size() == 2);
  CHECK(disk[0].everywhere);
  CHECK(text(disk[0].momentum) == "J*phi'");
  CHECK_FALSE(disk[1].everywhere);
  CHECK(written(disk[1].field) == "x = \"R*cos(phi)\", y = \"R*sin(phi)\", theta = \"1\"");
  for (const HorizontalSymmetry& h : disk) CHECK(proved(h.conserved));
  CHECK(horizontal_symmetries(load_model("chaplygin-sleigh")).empty());
}

TEST_CASE("of a parametrisation alone the drift is noticed, too") {
  const System s = read_model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2)"
[space]
x = "R"
y = "R"
[parametrization]
speeds = ["u"]
x = "u"
y = "x"
)toml",
                              "drifting.toml");
  CHECK(refuted(is_symmetry(s, VectorField::leg(s.space, 0))));
  CHECK(proved(is_symmetry(s, VectorField::leg(s.space, 1))));
}

TEST_CASE("names of sums of Lie algebras do not depend on the basis") {
  CHECK(recognised_name(direct_sum(se2(), abelian(1))) == "se(2) + R");
  CHECK(recognised_name(direct_sum(so3(), se2())) == "so(3) + se(2)");
  CHECK(recognised_name(direct_sum(heisenberg_algebra(), abelian(2))) == "heis(3) + R^2");
  StructureCoefficients c(4);  // se(2) + R with the rotation mixed with the centre
  c.set(0, 1, 2, 1);
  c.set(0, 2, 1, -1);
  c.set(3, 1, 2, 1);
  c.set(3, 2, 1, -1);
  CHECK(recognised_name(LieAlgebra({"a", "b", "c", "d"}, c)) == "se(2) + R");
}

TEST_CASE("where no random states are found, no symmetry is") {
  const std::string model =
      "lagrangian = \"1/2*(x'^2 + y'^2 + z'^2) - x*z\"\nspace = { x = \"R\", y = \"R\", z = \"R\" }\n"
      "constraints = { cubic = \"z'*(x'^2 + y'^2) = y*x'^3\" }\n";
  const SymmetryAlgebra g = found_symmetries(read_model(model, "cubic"));
  CHECK(g.generators.empty());
  CHECK_FALSE(g.complete);
  CHECK(asked(question("symmetries"), read_model(model, "cubic"), 60).outcome == Outcome::not_found);
}

TEST_CASE("no symmetry at all, where the isometries are known") {
  const auto outcome = [](const std::string& model, const char* name = "symmetries") {
    return asked(question(name), read_model(model, "test"), 60).outcome;
  };
  const auto oscillator = [](const char* kinetic, const char* potential) {
    return std::string("kinetic = \"") + kinetic + "\"\npotential = \"" + potential +
           "\"\nspace = { x = \"R\", y = \"R\" }\n"
           "[parameters]\nm = { value = 2, positive = true }\nk = { value = 3, positive = true }\n";
  };
  // On a line of constant V no function of V and g separates configurations: only (N.12) decides.
  const std::string level = oscillator("(x'^2 + y'^2)/2", "x") + "[constraints]\nc = \"x*x' + y*y' = 0\"\n";
  const std::string circle = oscillator("(x'^2 + y'^2)/2", "0") + "[constraints]\nc = \"x*x' + y*y' = 0\"\n";
  CHECK(outcome(level) == Outcome::refuted);
  CHECK(outcome(level, "momenta") == Outcome::refuted);
  CHECK(outcome(circle) == Outcome::proved);
  // A rotation whose coefficients are parameters is one all the same.
  CHECK(outcome(oscillator("(m*x'^2 + k*y'^2)/2", "m*x^2 + k*y^2")) == Outcome::proved);
  CHECK(outcome(oscillator("(m*x'^2 + k*y'^2)/2", "k*x^2 + m*y^2")) == Outcome::refuted);
  // The metric is constant in coordinates only: nothing is concluded where it is not.
  CHECK(outcome(oscillator("(1 + x^2)*(x'^2 + exp(y)*y'^2)/2", "0")) != Outcome::proved);
}

TEST_CASE("a momentum with coefficients beyond the ansatz is an integral, too") {
  const System skate = read_model(R"toml(title = "Skate on the hyperbolic plane"
lagrangian = "1/2*m*(x'^2 + y'^2)/y^2 + 1/2*J*(th' + x'/y)^2"
[space]
x = "R"
y = "R"
th = "S1"
[parameters]
m = { value = 1, positive = true }
J = { value = "1/2", positive = true }
[constraints]
blade = "x'*sin(th) = y'*cos(th)"
)toml",
                                  "t.toml");
  CHECK(asked(question("momenta"), skate, 60).outcome == Outcome::proved);
  const Answer a = asked(question("integrals"), skate, 60);
  CHECK(a.outcome == Outcome::proved);
  CHECK(a.answer.find("integrals")->list()->size() == 1);  // the energy is not among them
}

TEST_CASE("what is found does not depend on the names of parameters under roots") {
  // Every second value of a parameter has no root of 1 + k² modulo the prime, and which one depends on its name.
  for (const std::string k : {"k", "slope", "kappa", "mu", "c1", "c2", "c3", "tan_alpha"}) {
    CAPTURE(k);
    const System cone = read_model(
        "lagrangian = \"1/2*m*((1 + " + k + "^2)*rho'^2 + rho^2*phi'^2) + 1/2*I*norm2(Omega) - m*g*" + k +
            "*rho\"\n[space]\nrho = \"R\"\nphi = \"S1\"\nB = { group = \"SO(3)\" }\n[parameters]\n"
            "m = { value = 1, positive = true }\nI = { value = \"1/10\", positive = true }\n"
            "r = { value = \"1/2\", positive = true }\ng = 9.8\n" +
            k +
            " = { value = \"1/2\", positive = true }\n"
            "[define]\nw = \"sqrt(1 + " +
            k + "^2)\"\nup = \"[cos(phi)/w, sin(phi)/w, " + k +
            "/w]\"\n"
            "around = \"[-sin(phi), cos(phi), 0]\"\nspeed = \"r*cross(omega, cross(up, around))\"\n"
            "[constraints]\nclimb = \"w*rho' = dot(speed, up)\"\nturn = \"rho*phi' = dot(speed, around)\"\n",
        "cone");
    CHECK(found(cone).size() == 4);
    const Answer a = asked(question("integrals"), cone, 60);
    CHECK(a.outcome == Outcome::proved);
    CHECK_FALSE(a.answer.find("integrals")->list()->empty());
    CHECK(a.answer.find("at_parameter_values")->list()->empty());
  }
}
