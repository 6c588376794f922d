// Every section of the model language, and what becomes of it.
#include <doctest/doctest.h>

#include <string>

#include <rattleback/algebra/arithmetic/error.hpp>
#include <rattleback/algebra/expression/text.hpp>
#include <rattleback/algebra/solving/is_zero.hpp>
#include <rattleback/model/checks/triage.hpp>
#include <rattleback/model/reading/load.hpp>

using namespace rattleback;

namespace {

System model(const std::string& text) { return read_model(text, "models/example.toml"); }

std::string slug_of(const std::string& text) {
  try {
    model(text);
  } catch (const Error& error) {
    return error.slug;
  }
  return "read";
}

bool same(const System& s, Expr e, const std::string& expected) {
  return proved(are_equal(e, parse(expected, s.scope)));
}

const std::string sleigh = R"toml(
title = "Sleigh"
references = ["Chaplygin 1911", "Carathéodory 1933"]
lagrangian = "1/2*((J + m*a^2)*theta'^2 + m*(x'^2 + y'^2)) + m*a*theta'*(cos(theta)*y' - sin(theta)*x')"

[space]
x = "R"
y = "R"
theta = "S1"

[parameters]
m = { value = 1, positive = true, about = "mass" }
J = { value = "2/5", positive = true }
a = 0.1
b = {}
c = "b + a"

[constraints]
blade = "y'*cos(theta) = x'*sin(theta)"

[velocities]
u = "x'*cos(theta) + y'*sin(theta)"
omega = "theta'"

[symmetry]
SE2 = { translate_x = { x = "1" }, rotate = { x = "-y", y = "x", theta = "1" } }

[simulation]
initial = { x = 0, "y'" = "sqrt(2)/10", u = 1.5 }
until = 20

[known]
integrability = "refuted"
nested = { a = [1, 2] }
)toml";

}  // namespace

TEST_CASE("title, references, name") {
  const System s = model(sleigh);
  CHECK(s.name == "example");
  CHECK(s.title == "Sleigh");
  CHECK(s.references == std::vector<std::string>{"Chaplygin 1911", "Carathéodory 1933"});
}

TEST_CASE("[space]: order, roles, velocities") {
  const System s = model(sleigh);
  REQUIRE(s.space.dimension() == 3);
  CHECK(s.space.functions()[2].name() == "theta");
  CHECK(s.space.functions()[2].attributes().order == 2);
  CHECK(s.space.velocities()[2].name() == "theta'");
  CHECK(s.space.velocities()[2].role() == Role::velocity);
  CHECK(s.space.factors()[2].pieces[0].carrier == Carrier::angle);
}

TEST_CASE("[parameters]: exact values, signs, references among them") {
  const System s = model(sleigh);
  REQUIRE(s.parameters.size() == 5);
  CHECK(s.parameters[0].symbol.is_positive());
  CHECK(s.parameters[0].about == "mass");
  CHECK(s.parameters[1].value == Expr(Rational(2, 5)));
  CHECK(s.parameters[2].value == Expr(Rational(1, 10)));  // the decimal, not the nearest double
  CHECK_FALSE(s.parameters[2].symbol.is_positive());
  CHECK_FALSE(s.parameters[3].value.has_value());
  CHECK(s.parameters[2].place.line == 14);
  const SymbolMap values = parameter_values(s);
  CHECK(values.size() == 4);
  CHECK(values.at(s.parameters[4].symbol) == s.parameters[3].symbol + Expr(Rational(1, 10)));
  const SymbolMap changed = parameter_values(with_values(s, {{"b", "1/3"}, {"a", "sqrt(2)"}}));
  CHECK(changed.at(s.parameters[4].symbol) == Rational(1, 3) + sqrt(Expr(2)));
}

TEST_CASE("a parameter nobody uses is a warning") {
  const System s = model(sleigh);
  REQUIRE(s.warnings.size() == 1);
  CHECK(s.warnings[0].slug == "unused-parameter");
  CHECK(s.warnings[0].where.at(0).line == 16);
}

TEST_CASE("an input that acts on nothing is a warning") {
  const auto warnings = [](const char* force) {
    return model(
               std::string("lagrangian = \"x'^2/2\"\n[space]\nx = \"R\"\n[inputs]\nF = { about = \"push\" }\n"
                           "G = { law = \"-x\" }\n[forces]\nx = \"") +
               force + "\"\n")
        .warnings;
  };
  CHECK(warnings("F + G").empty());
  const std::vector<Error> idle = warnings("F - x'");
  REQUIRE(idle.size() == 1);
  CHECK(idle[0].summary == "input `G` acts on nothing");
  CHECK(idle[0].where.at(0).line == 6);
}

TEST_CASE("[constraints]: velocities, positions, vectors, time") {
  const System s = model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + z'^2)"
[space]
x = "R"
y = "R"
z = "R"
[define]
r = "[x, y, z]"
[constraints]
sphere = "norm2(r) = 1"
moving = "x = sin(t)"
both = "[x', y', 0] = [y*z', 1, 0]"
plain = "x'*y'"
)toml");
  REQUIRE(s.constraints.size() == 5);
  CHECK(same(s, s.constraints[0].expression, "2*(x*x' + y*y' + z*z')"));
  CHECK(same(s, *s.constraints[0].position, "x^2 + y^2 + z^2 - 1"));
  CHECK(same(s, s.constraints[1].expression, "x' - cos(t)"));
  CHECK(s.constraints[2].name == "both_1");  // the third component says 0 = 0 and is dropped
  CHECK(s.constraints[3].name == "both_2");
  CHECK_FALSE(s.constraints[3].position.has_value());
  CHECK(s.constraints[4].name == "plain");
}

TEST_CASE("[velocities]: symbols afterwards, expressions while the model is read") {
  const System s = model(sleigh + "[forces]\ntheta = \"-u*omega\"\n");
  REQUIRE(s.velocities.size() == 2);
  CHECK(s.velocities[0].symbol.role() == Role::velocity);
  CHECK(parse("u", s.scope) == Expr(s.velocities[0].symbol));
  CHECK(on_frame(s, parse("u*omega", s.scope)) == parse("(x'*cos(theta) + y'*sin(theta))*theta'", s.scope));
  CHECK(s.forces[2] == -on_frame(s, parse("u*omega", s.scope)));
}

TEST_CASE("[define]: scalars, vectors, matrices, rates") {
  const System s = model(R"toml(
lagrangian = "1/2*norm2(v) - height"
[space]
x = "R"
q = "S1"
[define]
r = "[x + cos(q), sin(q), 0]"
v = "ddt(r)"
height = "Rz(q)[1,1]"
rate = "height'"
w = ["x'", 1, "q'"]
)toml");
  CHECK(same(s, s.lagrangian, "1/2*((x' - sin(q)*q')^2 + (cos(q)*q')^2) - cos(q)"));
  CHECK(parse("rate", s.scope) == parse("-sin(q)*q'", s.scope));
  CHECK(s.definitions.size() == 5);
}

TEST_CASE("[functions]") {
  const System s = model(R"toml(
lagrangian = "1/2*x'^2*A(x)"
[space]
x = "R"
[functions]
A = ["x"]
[define]
d = "ddt(A(x))"
)toml");
  CHECK(s.functions.at(0).function.arity() == 1);
  CHECK(parse("d", s.scope) == parse("A'(x)*x'", s.scope));
}

TEST_CASE("[functions] with a formula for runs") {
  const std::string head = R"toml(
lagrangian = "1/2*x'^2 - W(x, 2*x)"
[space]
x = "R"
[parameters]
k = 3
[functions]
V = { of = ["s"], value = "k*s^2", about = "a spring" }
)toml";
  const System s = model(head + "W = { of = [\"a\", \"x\"], value = \"V(a) + x^3\" }\n");
  CHECK(s.functions.at(0).about == "a spring");
  CHECK(contains(s.lagrangian, s.space.functions()[0]));
  CHECK(symbols_of(s.lagrangian).size() == 2);  // nothing of the formulas
  CHECK(with_formulas(s, s.lagrangian) == parse("1/2*x'^2 - (k*x^2 + 8*x^3)", s.scope));
  CHECK(with_formulas(s, parse("V''(x) + W[0,1](x, x)", s.scope)) == parse("2*k + 3*x^2", s.scope));
  CHECK(written_formulas(s).at(1) == std::pair<std::string, std::string>("W(a, x)", "V(a) + x^3"));

  // The initial state is judged where its numbers are known, and only there.
  for (const auto& [function, doubts] :
       {std::pair("A = [\"x\"]", 0U), std::pair("A = { of = [\"x\"], value = \"x\" }", 1U)}) {
    const System skew =
        model("lagrangian = \"1/2*(x'^2 + y'^2)\"\n[space]\nx = \"R\"\ny = \"R\"\n[functions]\n" +
              std::string(function) +
              "\n[constraints]\nc = \"y' = A(x)\"\n[simulation]\ninitial = { x = 1, y = 0, \"x'\" = 0, "
              "\"y'\" = 2 }\n");
    CHECK(triage(skew).warnings.size() == doubts);
  }

  CHECK(slug_of(head + "W = { value = \"x\" }\n") == "missing-key");
  CHECK(slug_of(head + "W = { of = [\"a\", \"b\"], value = \"a + x\" }\n") == "unknown-symbol");
  CHECK(slug_of(head + "W = { of = [\"a\", \"b\"], values = \"a\" }\n") == "unknown-key");
}

TEST_CASE("kinetic, potential, rayleigh, forces") {
  const System s = model(R"toml(
kinetic = "1/2*x'^2 + 1/2*y'^2"
potential = "x^2"
rayleigh = "1/2*c*(x' - y')^2"
[space]
x = "R"
y = "R"
[parameters]
c = {}
[forces]
y = "sin(t)"
)toml");
  CHECK(s.lagrangian == parse("1/2*x'^2 + 1/2*y'^2 - x^2", s.scope));
  CHECK(*s.potential == parse("x^2", s.scope));
  CHECK(same(s, s.forces[0], "-c*(x' - y')"));
  CHECK(same(s, s.forces[1], "c*(x' - y') + sin(t)"));
}

TEST_CASE("SO(3): B, its velocities, torques, symmetries") {
  const System s = model(R"toml(
lagrangian = "1/2*norm2(Omega)"
[space]
B = { group = "SO(3)", body = "Omega", space = "omega" }
[forces]
B = "[1, 2, 3]*B[3,3]"
[symmetry]
rotation = { B = "left e3" }
left = "B"
right = "B"
)toml");
  REQUIRE(s.space.dimension() == 3);
  CHECK(parse("B[2,3]", s.scope).symbol().attributes().family == "B");
  CHECK(parse("B23", s.scope) == parse("B[2,3]", s.scope));
  CHECK(parse("omega[1]", s.scope) == parse("B[1,1]*Omega[1] + B[1,2]*Omega[2] + B[1,3]*Omega[3]", s.scope));
  CHECK(parse("Omega2", s.scope) == Expr(s.space.velocities()[1]));
  CHECK(s.forces[1] == parse("2*B[3,3]", s.scope));
  // left e3: B' = ê3 B moves row 1 by −row 2
  const VectorField& left = s.symmetries[0].generators[0].field;
  CHECK(same(s, left(parse("B[1,2]", s.scope)), "-B[2,2]"));
  CHECK(proved(is_zero(left(parse("B[3,2]", s.scope)))));
  CHECK(s.symmetries[1].generators.size() == 3);
  // right translations move columns: X_3 B = B ê3
  CHECK(s.symmetries[2].generators[2].field(parse("B[1,1]", s.scope)) == parse("B[1,2]", s.scope));
}

TEST_CASE("SE(2): coordinate velocities in quasi-velocities, forces, left translations") {
  const System s = model(R"toml(
lagrangian = "1/2*(v1^2 + v2^2 + w^2)"
[space]
g = { group = "SE(2)", coordinates = ["x", "y", "theta"], velocities = ["v1", "v2", "w"] }
[constraints]
blade = "y'*cos(theta) - x'*sin(theta) = 0"
[forces]
x = "1"
[symmetry]
left = "g"
)toml");
  CHECK(same(s, s.constraints[0].expression, "v2"));
  CHECK(same(s, parse("x'", s.scope), "v1*cos(theta) - v2*sin(theta)"));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string v = s.space.velocities()[i].name();
    CHECK(s.forces[i] == parse(v == "v1" ? "cos(theta)" : v == "v2" ? "-sin(theta)" : "0", s.scope));
  }
  REQUIRE(s.symmetries[0].generators.size() == 3);
  const VectorField& turn = s.symmetries[0].generators[2].field;
  CHECK(same(s, turn(parse("x", s.scope)), "-y"));
  CHECK(same(s, turn(parse("theta", s.scope)), "1"));
}

TEST_CASE("left translations commute with the frame they leave invariant") {
  for (const char* group :
       {R"x({ group = "SO(3)" })x", R"x({ group = "SE(3)" })x",
        R"x({ group = "SE(2)", coordinates = ["x", "y", "q"], velocities = ["a", "b", "c"] })x",
        R"x({ group = "H3", coordinates = ["x", "y", "z"], velocities = ["a", "b", "c"] })x"}) {
    INFO(group);
    const System s = model(std::string("lagrangian = \"1\"\n[space]\nB = ") + group +
                           "\n[symmetry]\nleft = \"B\"\nright = \"B\"\n");
    const std::vector<Generator>&left = s.symmetries[0].generators, &right = s.symmetries[1].generators;
    CHECK(left.size() == static_cast<std::size_t>(s.space.dimension()));
    for (const Generator& l : left) {
      for (const Generator& r : right) CHECK(proved(is_zero(bracket(l.field, r.field).coefficients())));
    }
    // the mutant: two legs of a frame do not commute with each other
    const VectorField &X = right[0].field, &Y = right[1].field, &Z = right[2].field;
    const std::vector<Expr> xy = bracket(X, Y).coefficients(), xz = bracket(X, Z).coefficients();
    CHECK((refuted(is_zero(xy)) || refuted(is_zero(xz))));
  }
}

TEST_CASE("H3: X1 = d_x - y/2 d_z, X2 = d_y + x/2 d_z") {
  const System s = model(R"toml(
lagrangian = "1"
[space]
g = { group = "H3", coordinates = ["x", "y", "z"], velocities = ["a", "b", "c"] }
)toml");
  CHECK(parse("z'", s.scope) == parse("-y*a/2 + x*b/2 + c", s.scope));
}

TEST_CASE("SE(3): r' = B V") {
  const System s = model(R"toml(
lagrangian = "1/2*norm2(V) + 1/2*norm2(Omega)"
[space]
B = { group = "SE(3)", body = "Omega", space = "omega", position = "r", velocity = "V" }
[define]
speed = "ddt(r)"
[forces]
r = "[0, 0, -1]"
[simulation]
initial = { B = 1, r = [0, 0, 1], V = [1, 0, 0], Omega = [0, 0, 2] }
)toml");
  CHECK(s.space.dimension() == 6);
  CHECK(parse("speed[2]", s.scope) == parse("B[2,1]*V[1] + B[2,2]*V[2] + B[2,3]*V[3]", s.scope));
  CHECK(s.forces[3] == parse("-B[3,1]", s.scope));
  CHECK(s.forces[0].is_zero());
  CHECK(s.simulation.initial.size() == 4);
}

TEST_CASE("[algebra]") {
  const System s = model(R"toml(
lagrangian = "1/2*(w^2 + v1^2 + v2^2)"
[algebra]
basis = ["rot", "tx", "ty"]
brackets = { "rot,tx" = "k*ty", "ty,rot" = "tx*k" }
velocities = ["w", "v1", "v2"]
[parameters]
k = {}
[constraints]
blade = "v2 = 0"
)toml");
  CHECK(s.space.functions().empty());
  CHECK(text(s.space.c()(0, 1, 2)) == "k");
  CHECK(text(s.space.c()(0, 2, 1)) == "-k");
  CHECK(s.constraints.size() == 1);
  const System plain = model("lagrangian = \"1/2*(xi1^2 + xi2^2)\"\n[algebra]\nbasis = [\"a\", \"b\"]\n");
  CHECK(plain.space.velocities()[1].name() == "xi2");
}

TEST_CASE("[parametrization]") {
  const System s = model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + theta'^2)"
[space]
x = "R"
y = "R"
theta = "S1"
[parametrization]
speeds = ["v", "w"]
x = "v*cos(theta)"
y = "v*sin(theta)"
theta = "w"
[simulation]
initial = { v = 1, w = 2 }
)toml");
  REQUIRE(s.parametrization.has_value());
  CHECK(s.parametrization->speeds.size() == 2);
  CHECK(s.parametrization->psi[1] == parse("v*sin(theta)", s.scope));
  CHECK(s.simulation.initial[1].name == "w");

  const System group = model(R"toml(
lagrangian = "1/2*(v1^2 + v2^2 + w^2)"
[space]
g = { group = "SE(2)", coordinates = ["x", "y", "q"], velocities = ["v1", "v2", "w"] }
[parametrization]
speeds = ["s"]
x = "s*cos(q)"
y = "s*sin(q)"
q = "0"
)toml");
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string v = group.space.velocities()[i].name();
    CHECK(same(group, group.parametrization->psi[i], v == "v1" ? "s" : "0"));
  }
}

TEST_CASE("[symmetry]: the named forms are the generators they stand for") {
  const System s = model(R"toml(
lagrangian = "1/2*(x'^2 + y'^2 + q'^2)"
[space]
x = "R"
y = "R"
q = "S1"
[symmetry]
planar_euclidean = { x = "x", y = "y", angles = ["q"] }
translations = ["y"]
G = { turn = { x = "-y", y = "x", q = "1" } }
)toml");
  REQUIRE(s.symmetries.size() == 3);
  const VectorField &named = s.symmetries[0].generators[2].field,
                    &given = s.symmetries[2].generators[0].field;
  CHECK(named.coefficients() == given.coefficients());
  CHECK(s.symmetries[1].generators[0].field[1].is_one());
  CHECK(s.symmetries[2].generators[0].name == "turn");
}

TEST_CASE("[simulation] and [known] are kept as they are") {
  const System s = model(sleigh);
  REQUIRE(s.simulation.initial.size() == 3);
  CHECK(s.simulation.initial[1].name == "y'");
  CHECK(std::get<Expr>(s.simulation.initial[1].value) == sqrt(Expr(2)) / 10);
  CHECK(std::get<Expr>(s.simulation.initial[2].value) == Expr(Rational(3, 2)));
  CHECK(*s.simulation.until == Expr(20));
  CHECK(s.known.find("integrability")->text == "refuted");
  CHECK(s.known.find("nested")->find("a")->items.size() == 2);
}

TEST_CASE("the scope reads what the program prints") {
  for (const char* name : {"chaplygin-sleigh", "chaplygin-top-se3", "skate-in-a-field", "veselova"}) {
    const System s = load_model(name);
    CHECK(parse(text(s.lagrangian), s.scope) == s.lagrangian);
  }
}
